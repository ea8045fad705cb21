/**
 * How a client comes back after its connection is lost.
 *
 * @module
 */

import { ServiceError } from "./errors.js";

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

/** As {@link RETRY}, but for what is given. */
export function retryOf(
  given: { readonly [Name in keyof Retry]?: number | undefined } = {},
): Retry {
  const retry = { ...RETRY };
  for (const name of Object.keys(RETRY) as (keyof Retry)[])
    retry[name] = given[name] ?? RETRY[name];
  return retry;
}

/** The longest time that a timer waits: 2^31 - 1 ms. A longer one would be over at once. */
const LONGEST_TIMER = 0x7fffffff;

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

  /** The server has said something: it is there. */
  heard(): void {
    this.#patience = this.#retry.giveUp;
    this.#since = performance.now();
  }

  /**
   * It has said something new. One that is there and has nothing new is asked less and less often.
   *
   * @param first What it wants to be the pause before the second attempt, when it said so.
   */
  gained(first = this.#retry.first): void {
    this.#pause = Math.min(first, this.#retry.giveUp);
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
    const pause = Math.min(this.#pause * (0.5 + Math.random() / 2), LONGEST_TIMER);
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
 * Asks until a server answers, or it is no use any more.
 *
 * @param retry How to come back.
 * @param ask One attempt.
 * @param signal Ends it.
 * @throws What `ask` throws, and the signal's reason.
 */
export async function insist<T>(
  retry: Retry,
  ask: () => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const back = new Backoff(retry);
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const lost = error instanceof ServiceError && error.isLost;
      if (!lost || !(await back.wait(signal))) throw error;
    }
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
    const silence = Math.min(this.#silence, LONGEST_TIMER);
    this.#timer = setTimeout(() => this.#controller.abort(), silence);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
