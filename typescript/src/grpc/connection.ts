/**
 * A server, and how it is reached: HTTP/2, by Connect's client for Node.
 *
 * Connect is loaded at the first request and not before, so that whoever has no use for gRPC need
 * not install it, and whoever lacks it is told what to install.
 *
 * @module
 */

import type { CallOptions, Client } from "@connectrpc/connect";
import { ReplyService } from "../_protobuf/msgfold/v1/reply_service_pb.js";
import type { ServiceError } from "../client/errors.js";
import { InvalidInputError } from "../errors.js";
import { Session } from "./session.js";
import { errorOf } from "./status.js";

/** What a client trusts, and what it shows: PEM, as text or bytes. */
export interface Tls {
  /** The authorities that it trusts, instead of those that Node does. */
  ca?: string | Uint8Array | undefined;
  /** Its own certificate, for mTLS. */
  certificate?: string | Uint8Array | undefined;
  /** The private key of that. */
  key?: string | Uint8Array | undefined;
}

/** Settings of a connection. */
export interface Settings {
  readonly headers: Record<string, string>;
  /** Milliseconds, as in `Retry`. */
  readonly silence: number;
  readonly maxMessage: number;
  readonly tls?: Tls;
}

/** Bytes of one message, unless the caller says otherwise; the server has the same. */
export const MAX_MESSAGE = 16 * 1024 * 1024;

/** A call of the service. */
export type Call<T> = (service: Client<typeof ReplyService>, options: CallOptions) => T;

/** Loaded once, when it is needed. */
interface Loaded {
  readonly service: Client<typeof ReplyService>;
  readonly session: Session;
  readonly typed: (error: unknown) => ServiceError;
}

/** One server. */
export class Connection {
  readonly #url: string;
  readonly #settings: Settings;
  #loaded: Promise<Loaded> | undefined;

  constructor(url: string | URL, settings: Settings) {
    this.#url = checked(url);
    this.#settings = settings;
  }

  /**
   * A call that has one response.
   *
   * @throws {ServiceError} It failed.
   */
  async ask<T>(call: Call<Promise<T>>, signal: AbortSignal): Promise<T> {
    const { service, session, typed } = await this.#load();
    try {
      await session.reached(signal);
      return await call(service, { signal, headers: this.#settings.headers });
    } catch (error) {
      throw typed(error);
    }
  }

  /**
   * A call that has many. Leaving it cancels the call.
   *
   * @throws {ServiceError} It failed, or the connection is lost.
   */
  async *stream<T>(call: Call<AsyncIterable<T>>, given: AbortSignal): AsyncGenerator<T> {
    const { service, session, typed } = await this.#load();
    const own = new AbortController();
    const signal = AbortSignal.any([given, own.signal]);
    try {
      await session.reached(signal);
      yield* call(service, { signal, headers: this.#settings.headers });
    } catch (error) {
      throw typed(error);
    } finally {
      own.abort();
    }
  }

  #load(): Promise<Loaded> {
    this.#loaded ??= this.#connected();
    return this.#loaded;
  }

  async #connected(): Promise<Loaded> {
    const [connect, node] = await peers();
    const { silence, maxMessage, tls } = this.#settings;
    // A server says nothing while its agent thinks, so it is asked whether it lives.
    const pings = { pingIntervalMs: (silence * 2) / 3, pingTimeoutMs: silence / 3 };
    const manager = new node.Http2SessionManager(this.#url, pings, {
      ...(tls?.ca !== undefined && { ca: pem(tls.ca) }),
      ...(tls?.certificate !== undefined && { cert: pem(tls.certificate) }),
      ...(tls?.key !== undefined && { key: pem(tls.key) }),
    });
    const session = new Session(manager, silence);
    const transport = node.createGrpcTransport({
      baseUrl: this.#url,
      readMaxBytes: maxMessage,
      writeMaxBytes: maxMessage,
      sessionManager: session.manager,
    });
    return {
      service: connect.createClient(ReplyService, transport),
      session,
      typed: (error) => errorOf(connect, error, this.#url),
    };
  }
}

const PEERS = "@connectrpc/connect @connectrpc/connect-node";

async function peers() {
  try {
    return await Promise.all([import("@connectrpc/connect"), import("@connectrpc/connect-node")]);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const reason = `msgfold/grpc needs packages that are not here; run: npm install ${PEERS}`;
    throw new Error(reason, { cause });
  }
}

function pem(given: string | Uint8Array): string | Buffer {
  return typeof given === "string" ? given : Buffer.from(given);
}

function checked(url: string | URL): string {
  const given = String(url);
  if (/^https?:\/\/[^/]/.test(given) && URL.canParse(given)) return given.replace(/\/+$/, "");
  throw new InvalidInputError("not where a gRPC server is", {
    expected: "http://host:port, or https://host:port for TLS",
    got: given,
  });
}
