/**
 * The HTTP/2 session to a server, by Connect's manager of sessions, which opens it when it is needed
 * and pings it while streams are open.
 *
 * @module
 */

import type { ClientHttp2Stream } from "node:http2";
import type { Http2SessionManager } from "@connectrpc/connect-node";

/** What Connect asks of a manager. */
type Manager = Pick<Http2SessionManager, "authority" | "request" | "notifyResponseByteRead">;

/** A session that is opened again when it is lost. */
export class Session {
  /** What Connect sends its requests through. */
  readonly manager: Manager;
  readonly #inner: Http2SessionManager;
  readonly #silence: number;

  /**
   * @param inner Connect's own.
   * @param silence Milliseconds in which a connection has to stand.
   */
  constructor(inner: Http2SessionManager, silence: number) {
    this.#inner = inner;
    this.#silence = silence;
    this.manager = {
      authority: inner.authority,
      request: async (...given) => {
        const stream = await inner.request(...given);
        harmless(stream.session);
        return stream;
      },
      notifyResponseByteRead: (stream) => inner.notifyResponseByteRead(stream),
    };
  }

  /**
   * Until there is a connection.
   *
   * Pings are for a connection that stands. That it comes to stand has to be watched as well: there
   * are hosts that do not answer, and servers that do not finish a handshake.
   *
   * @throws Why there is none, or the signal's reason.
   */
  async reached(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    let wake = () => {};
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
    });
    // Not AbortSignal.timeout: one that is only a part of another signal may be collected.
    const late = setTimeout(wake, this.#silence);
    signal.addEventListener("abort", wake);
    const found = await Promise.race([this.#inner.connect(), ended]);
    signal.removeEventListener("abort", wake);
    clearTimeout(late);
    signal.throwIfAborted();
    if (found === "error") throw this.#inner.error() ?? new Error("the connection was closed");
    if (found !== undefined) return;
    const reason = new Error(`no connection within ${this.#silence} ms`);
    this.#inner.abort(reason); // the next attempt begins anew
    throw reason;
  }
}

const known = new WeakSet<object>();

/**
 * An error of a session is told by its streams. Connect no longer listens to the session itself when
 * a new one was asked for before the error of the old one was emitted, and an error that nobody
 * listens to ends Node.
 */
function harmless(session: ClientHttp2Stream["session"]): void {
  if (session === undefined || known.has(session)) return;
  known.add(session);
  session.on("error", () => {});
}
