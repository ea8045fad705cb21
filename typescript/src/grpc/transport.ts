/**
 * The reply service over gRPC: events as protobuf, those that were ready together in one message.
 *
 * @module
 */

import type { StreamReplyResponse } from "../_protobuf/msgfold/v1/reply_service_pb.js";
import { ServiceError } from "../client/errors.js";
import {
  type Arrival,
  filled,
  type Place,
  type Reading,
  type Start,
  type Transport,
} from "../client/transport.js";
import type { Reply, ReplyState } from "../client/types.js";
import { InvalidInputError } from "../errors.js";
import type { Call, Connection } from "./connection.js";
import { replyOf, requestOf, stateOf, take } from "./messages.js";

/** Servers over gRPC, one of them in use. */
export class GrpcTransport implements Transport {
  readonly #servers: readonly Connection[];
  #used = 0;

  /** @throws {InvalidInputError} There is no server. */
  constructor(servers: readonly Connection[]) {
    if (servers.length === 0) {
      throw new InvalidInputError("no server to ask", { expected: "one URL or more", got: "none" });
    }
    this.#servers = servers;
  }

  async *start(start: Start, reading: Reading): AsyncGenerator<Arrival> {
    const request = requestOf(start);
    yield* this.#read(reading, (service, how) => service.streamReply(request, how));
  }

  resume(place: Place, reading: Reading): AsyncIterable<Arrival> {
    const { replyId, follow } = place;
    const request = { replyId, afterEventId: place.after, follow };
    return this.#read(reading, (service, how) => service.resumeReply(request, how));
  }

  async startedAs(start: Start, signal: AbortSignal): Promise<string> {
    for await (const { events } of this.start(start, { signal, first: 0 })) {
      for (const event of events) if ("reply_id" in event && event.reply_id) return event.reply_id;
    }
    throw new ServiceError("unavailable", "the stream ends and names no reply");
  }

  async get(replyId: string, signal: AbortSignal): Promise<Reply> {
    const found = await this.#ask(signal, (service, how) => service.getReply({ replyId }, how));
    return replyOf(replyId, found);
  }

  async cancel(replyId: string, signal: AbortSignal): Promise<ReplyState> {
    const found = await this.#ask(signal, (service, how) => service.cancelReply({ replyId }, how));
    return stateOf(found.state);
  }

  /** One call that has one response. */
  async #ask<T>(signal: AbortSignal, call: Call<Promise<T>>): Promise<T> {
    const server = this.#server;
    try {
      return await server.ask(call, signal);
    } catch (error) {
      this.#lose(server, error);
      throw error;
    }
  }

  /** One stream. */
  async *#read(
    reading: Reading,
    call: Call<AsyncIterable<Pick<StreamReplyResponse, "events" | "state">>>,
  ): AsyncGenerator<Arrival> {
    const server = this.#server;
    let seen = 0;
    try {
      for await (const response of server.stream(call, reading.signal)) {
        yield* filled((arrival) => take(response, arrival, reading.first + seen));
        seen += response.events.length;
      }
    } catch (error) {
      this.#lose(server, error);
      throw error;
    }
  }

  /** Where there are several, the next one is asked, unless somebody else has turned to it already. */
  #lose(server: Connection, error: unknown): void {
    const isLost = error instanceof ServiceError && error.isLost;
    if (isLost && server === this.#server) this.#used = (this.#used + 1) % this.#servers.length;
  }

  get #server(): Connection {
    return this.#servers[this.#used] as Connection;
  }
}
