/**
 * Every fault of JSON text, each with its place: the careful reading that validation does.
 *
 * `JSON.parse` says whether text is JSON at all. What it lets pass is looked for afterwards: in the
 * value, lone surrogates, numbers that are not finite and too much depth; in the text, members that
 * come twice, since the value has only the last of them (`wire.json.duplicate-key`).
 *
 * @module
 */

import { InvalidJsonError, type MsgfoldError } from "./errors.js";
import {
  endOfString,
  isDeep,
  loneSurrogate,
  MAX_DEPTH,
  notFinite,
  notJson,
  pointer,
  SURROGATE,
  tooDeep,
} from "./json.js";

type Path = readonly (string | number)[];

/** The value of JSON text, `undefined` when there is none, and every fault. */
export function faults(text: string): { value: unknown; errors: MsgfoldError[] } {
  if (isDeep(text)) return { value: undefined, errors: [tooDeep()] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { value: undefined, errors: [notJson(text, error)] };
  }
  const errors = duplicates(text).map((path) => placed(cameTwice(path), path));
  lookAt(value, [], errors);
  return { value, errors };
}

function lookAt(value: unknown, path: Path, errors: MsgfoldError[]): void {
  if (typeof value === "string") {
    if (SURROGATE.test(value)) errors.push(placed(loneSurrogate(value), path));
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) errors.push(placed(notFinite(value), path));
  } else if (typeof value === "object" && value !== null) {
    if (path.length >= MAX_DEPTH) {
      errors.push(tooDeep(path));
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const where = [...path, name];
      if (SURROGATE.test(name)) errors.push(placed(loneSurrogate(name), where));
      lookAt(member, where, errors);
    }
  }
}

function placed(error: MsgfoldError, path: Path): MsgfoldError {
  error.place = { ...error.place, pointer: pointer(path.map(escaped)) };
  return error;
}

/** A lone surrogate in a name as its escape: a pointer goes into messages, and those are Unicode. */
function escaped(part: string | number): string | number {
  return typeof part === "string" && SURROGATE.test(part)
    ? JSON.stringify(part).slice(1, -1)
    : part;
}

function cameTwice(path: Path): MsgfoldError {
  const name = JSON.stringify(path.at(-1));
  return new InvalidJsonError(`the member ${name} came twice`, {
    expected: "each member once",
    got: "two",
    rule: "wire.json.duplicate-key",
  });
}

/** A container that is being read. */
interface Open {
  /** How often each name came; of an array, nothing. */
  readonly names: Map<string, number> | undefined;
  /** The member or the position that is being read. */
  part: string | number;
  /** Whether the next string is a name. */
  awaitsName: boolean;
}

/** The paths of members that came more than once. @param text Valid JSON. */
function duplicates(text: string): Path[] {
  const found: Path[] = [];
  const stack: Open[] = [];
  const here = (): Path => stack.slice(0, -1).map(({ part }) => part);
  for (let at = 0; at < text.length; at += 1) {
    const top = stack.at(-1);
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at + 1);
        if (top?.names !== undefined && top.awaitsName) {
          const name: string = JSON.parse(text.slice(at, end));
          const times = (top.names.get(name) ?? 0) + 1;
          top.names.set(name, times);
          if (times === 2) found.push([...here(), name]);
          top.part = name;
          top.awaitsName = false;
        }
        at = end - 1;
        break;
      }
      case "{":
        stack.push({ names: new Map(), part: "", awaitsName: true });
        break;
      case "[":
        stack.push({ names: undefined, part: 0, awaitsName: false });
        break;
      case "}":
      case "]":
        stack.pop();
        break;
      case ",":
        if (top?.names !== undefined) top.awaitsName = true;
        else if (top !== undefined) top.part = (top.part as number) + 1;
        break;
      default:
    }
  }
  return found;
}
