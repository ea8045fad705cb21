/**
 * Base64 data that grows in constant time.
 *
 * A data block streams as deltas, each base64 by itself. Joining them means joining *bytes*
 * (`fold.data.delta`): text can simply be joined as long as what is there is not padded, and
 * otherwise the last group of what is there is coded again together with what comes. What was coded
 * before is never looked at again, nor is it copied: JavaScript joins strings when somebody reads
 * them.
 *
 * @module
 */

import { decodeBase64 } from "../base64.js";

/** What is remembered of a source, so that its text need not be read. */
interface Growth {
  /** The text as it was left; another one means that somebody set it. */
  data: string;
  /** The text up to its last group; said only when that is padded. */
  head: string;
  /** The bytes of a last group that is padded, a character each: none, one or two. */
  tail: string;
}

/** What grows: a base64 source. */
interface Source {
  data: string;
}

const growths = new WeakMap<object, Growth>();

/** A copy of a source takes over what is remembered of it. */
export function moveGrowth(from: object, to: object): void {
  const growth = growths.get(from);
  if (growth !== undefined) growths.set(to, { ...growth });
}

/**
 * Append bytes.
 *
 * @param source What grows.
 * @param more Canonical base64 by itself.
 * @param bytes The bytes of `more`, a character each.
 * @throws {InvalidBase64Error} What the source holds is not padded base64; nothing has changed.
 */
export function appendBase64(source: Source, more: string, bytes: string): void {
  let growth = growths.get(source);
  if (growth === undefined || growth.data !== source.data) {
    growth = split(source.data);
    growths.set(source, growth);
  }
  if (growth.tail !== "") {
    const joined = growth.tail + bytes;
    const whole = joined.length - (joined.length % 3);
    growth.head += btoa(joined.slice(0, whole));
    growth.tail = joined.slice(whole);
    growth.data = growth.head + btoa(growth.tail);
  } else if (more.endsWith("=")) {
    growth.head = growth.data + more.slice(0, -4);
    growth.tail = bytes.slice(bytes.length - (bytes.length % 3));
    growth.data += more;
  } else {
    growth.data += more;
  }
  source.data = growth.data;
}

function split(data: string): Growth {
  // Only the last group is looked at; the length says whether it is the last of whole ones.
  const last = data.length % 4 === 0 ? data.slice(-4) : data.slice(-(data.length % 4));
  decodeBase64(last);
  if (!last.endsWith("=")) return { data, head: "", tail: "" };
  return { data, head: data.slice(0, -4), tail: atob(last) };
}
