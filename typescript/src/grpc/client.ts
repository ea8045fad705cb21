/**
 * The client over gRPC.
 *
 * @module
 */

import { retryOf } from "../client/backoff.js";
import { AnyReplyClient, type ClientOptions, headersOf } from "../client/client.js";
import { Connection, MAX_MESSAGE, type Tls } from "./connection.js";
import { GrpcTransport } from "./transport.js";

/** Settings of a client over gRPC. */
export interface GrpcClientOptions extends ClientOptions {
  /** What to trust and to show at `https://`; what is left out is as Node has it. */
  tls?: Tls | undefined;
  /** Bytes of one message, either way; the server's should be the same. 16 MiB when left out. */
  maxMessage?: number | undefined;
}

/**
 * A client of the reply service over gRPC.
 *
 * A server that says nothing is pinged, every two thirds of `retry.silence`; when it does not answer
 * within the last third, the connection is lost. So is one that takes all of it to be made. `msgfold
 * serve` puts up with a ping every 10 seconds, so 20 seconds of silence are the least to ask for.
 * Connections that are idle do not keep Node from ending.
 *
 * @example
 * ```ts
 * const client = new GrpcReplyClient("http://127.0.0.1:50051");
 * const stream = client.replyStream("tidy up", { fold: true });
 * for await (const event of stream) console.log(event.type, stream.msg);
 * stream.state; // "waiting_confirmation"
 * ```
 */
export class GrpcReplyClient extends AnyReplyClient {
  /**
   * @param urls The server, as in `http://localhost:50051`, or several that share an event log; the
   *   next one is asked when one does not answer. `https://` is TLS.
   * @param options Settings.
   * @throws {InvalidInputError} A URL that is none, or none at all.
   * @throws {ServiceError} A header, or the token, is no text that a header can carry.
   */
  constructor(urls: string | URL | readonly (string | URL)[], options: GrpcClientOptions = {}) {
    const retry = retryOf(options.retry);
    const settings = {
      headers: headersOf(options),
      silence: retry.silence,
      maxMessage: options.maxMessage ?? MAX_MESSAGE,
      ...(options.tls !== undefined && { tls: options.tls }),
    };
    const given: readonly (string | URL)[] = Array.isArray(urls) ? urls : [urls];
    super(new GrpcTransport(given.map((url) => new Connection(url, settings))), retry);
  }
}
