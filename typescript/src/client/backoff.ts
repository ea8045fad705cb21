/**
 * How a client comes back after its connection is lost.
 *
 * @module
 */

/** Milliseconds, all of them. */
export interface Retry {
  /** Before the second attempt; doubled each time. */
  first: number;
  /** Between two attempts, at most. */
  longest: number;
  /** Without a word from the server, after which it is an error. */
  giveUp: number;
  /** The same, when it has not said a word yet. */
  firstContact: number;
}

/** Unless the caller says otherwise. */
export const RETRY: Retry = { first: 50, longest: 2000, giveUp: 60_000, firstContact: 5000 };

/** Waits longer each time, until it is no use any more. */
export class Backoff {
  readonly #retry: Retry;
  #patience: number;
  #pause: number;
  #since = performance.now();

  constructor(retry: Retry) {
    this.#retry = retry;
    this.#patience = retry.firstContact;
    this.#pause = retry.first;
  }

  /**
   * The server has said something.
   *
   * @param first What it wants to be the pause before the second attempt, when it said so.
   */
  heard(first = this.#retry.first): void {
    this.#patience = this.#retry.giveUp;
    this.#pause = first;
    this.#since = performance.now();
  }

  /**
   * Wait; `false` when it is time to give up.
   *
   * @param signal Ends the waiting.
   * @throws The signal's reason.
   */
  async wait(signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (performance.now() - this.#since > this.#patience) return false;
    // Not all clients of a server that has gone come back at the same moment.
    const pause = this.#pause * (0.5 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, this.#retry.longest);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(done, pause);
      signal.addEventListener("abort", done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        if (signal.aborted) reject(signal.reason);
        else resolve();
      }
    });
    return true;
  }
}
