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
  /** Without a byte, after which a connection is lost; the service says something every 15 s. */
  silence: number;
}

/** Unless the caller says otherwise. */
export const RETRY: Retry = {
  first: 50,
  longest: 2000,
  giveUp: 60_000,
  firstContact: 5000,
  silence: 45_000,
};

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

/**
 * Watches a connection that may have died without a word, as those of a laptop that slept do.
 *
 * It is started when something has to come and stopped when that came, so that the time that a slow
 * reader takes does not count.
 */
export class Watch {
  readonly #silence: number;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silence: number) {
    this.#silence = silence;
  }

  /** Aborts the connection. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(): void {
    this.stop();
    this.#timer = setTimeout(() => this.#controller.abort(), this.#silence);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
