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

/** An object and the copy of it that may be changed. */
interface Copy {
  readonly from: object;
  readonly to: object;
}

/** Nothing may be changed: what is asked for is copied, once. */
export class Sharing implements Ownership {
  /** A list, because an event changes few objects: three, most often. */
  readonly #mine: object[] = [];
  /** What was copied, the Msg first and its content next. */
  readonly #copies: Copy[] = [];

  own<T extends object>(value: T): T {
    if (this.#mine.includes(value)) return value;
    const copy = copyOf(value);
    this.#copies.push({ from: value, to: copy });
    return this.made(copy);
  }

  made<T extends object>(value: T): T {
    this.#mine.push(value);
    return value;
  }

  /**
   * `msg` with everything that turned out as it was before put back in the place of its copy: an
   * empty delta changes nothing, nor does a state that is said twice.
   */
  settled<T extends object>(msg: T): T {
    const changed: object[] = [];
    // What is inside was copied after what is around it.
    for (let at = this.#copies.length - 1; at >= 0; at -= 1) {
      const copy = this.#copies[at] as Copy;
      const isAround = at < 2 && changed.length > 0;
      if (isAround || !isSame(copy, changed)) changed.push(copy.to);
      else if (copy.to === msg) return copy.from as T;
      else this.#putBack(copy, at);
    }
    return msg;
  }

  #putBack({ from, to }: Copy, before: number): void {
    if (Array.isArray(from)) handOver(to as object[], from);
    for (const { to: around } of this.#copies.slice(0, before)) {
      for (const [name, member] of Object.entries(around)) {
        if (member === to) (around as Record<string, unknown>)[name] = from;
      }
    }
  }
}

function isSame({ from, to }: Copy, changed: readonly object[]): boolean {
  const [was, is] = [from, to] as [Record<string, unknown>, Record<string, unknown>];
  if (Array.isArray(is) && is.length !== was.length) return false;
  for (const name in is) {
    const now = is[name];
    if (now === was[name]) continue;
    if (changed.includes(now as object) || !isEqual(now, was[name])) return false;
  }
  return true;
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!isContainer(left) || !isContainer(right)) return false;
  const [names, others] = [Object.keys(left), Object.keys(right)];
  return (
    Array.isArray(left) === Array.isArray(right) &&
    names.length === others.length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  );
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
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
