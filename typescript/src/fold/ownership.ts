/**
 * Who owns the objects of a Msg that is being folded into.
 *
 * There is one fold. What it may write to is asked here, and that is all the difference between
 * `appendEvent`, which changes a Msg in place, and `reduce`, which leaves it as it is: there each
 * object is copied before it is changed, once an event, and what is not changed keeps its identity.
 *
 * @module
 */

import { handOver } from "./block-index.js";
import { moveGrowth } from "./growing.js";

/** Gives objects that may be changed. */
export interface Ownership {
  /** `value`, or a shallow copy of it to be put in its place. */
  own<T extends object>(value: T): T;
  /** `value` itself, which this event made: it may be changed as it is. */
  made<T extends object>(value: T): T;
}

/** Everything may be changed in place. */
export const IN_PLACE: Ownership = { own: (value) => value, made: (value) => value };

/** Nothing may be changed: what is asked for is copied, once. */
export class Sharing implements Ownership {
  /** A list, because an event changes few objects: three, most often. */
  readonly #mine: object[] = [];

  own<T extends object>(value: T): T {
    return this.#mine.includes(value) ? value : this.made(copyOf(value));
  }

  made<T extends object>(value: T): T {
    this.#mine.push(value);
    return value;
  }
}

function copyOf<T extends object>(value: T): T {
  if (Array.isArray(value)) {
    const list = value.slice();
    handOver(value, list);
    return list as unknown as T;
  }
  const copy = { ...value };
  if ("data" in value) moveGrowth(value, copy);
  return copy;
}
