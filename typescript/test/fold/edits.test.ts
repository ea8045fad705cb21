/**
 * A program edits its Msg between two events, as a user who deletes a paragraph does. What is
 * remembered of the Msg before must not show: `reduce` gives what it would give for a copy of which
 * nothing is remembered.
 */

import { expect, test } from "vitest";
import { type AgentEvent, type ContentBlock, type Msg, reduce } from "../../src/index.js";

/** Numbers that look random, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

const QUIET = { revision: "2.0.8", onDiagnostic: () => {} };
const STAMPS = { id: "e", created_at: "t", reply_id: "r1" };

class Player {
  readonly #pick: (below: number) => number;

  constructor(seed: number) {
    this.#pick = numbers(seed);
  }

  maybe(one: number): boolean {
    return this.#pick(one) === 0;
  }

  among<T>(things: readonly T[]): T {
    return things[this.#pick(things.length)] as T;
  }

  /** Of few ids, so that there are several blocks of one. */
  id(): string {
    return `b${this.#pick(12)}`;
  }

  bytes(): string {
    return btoa("x".repeat(this.#pick(5)));
  }

  block(): ContentBlock {
    const id = this.id();
    if (this.maybe(2)) return { type: "text", id, text: "" };
    const source = { type: "base64" as const, data: this.bytes(), media_type: "" };
    return { type: "data", id, source, name: null };
  }

  event(): AgentEvent {
    const [block_id, tool_call_id] = [this.id(), this.id()];
    return this.among<AgentEvent>([
      { ...STAMPS, type: "TEXT_BLOCK_START", block_id },
      { ...STAMPS, type: "TEXT_BLOCK_DELTA", block_id, delta: `${this.#pick(100)}` },
      { ...STAMPS, type: "TEXT_BLOCK_DELTA", block_id, delta: "" },
      { ...STAMPS, type: "DATA_BLOCK_DELTA", block_id, media_type: "", data: this.bytes() },
      { ...STAMPS, type: "DATA_BLOCK_DELTA", block_id, media_type: "", data: this.bytes() },
      { ...STAMPS, type: "TOOL_CALL_START", tool_call_id, tool_call_name: "t" },
      { ...STAMPS, type: "TOOL_CALL_DELTA", tool_call_id, delta: "{" },
      { ...STAMPS, type: "TOOL_RESULT_END", tool_call_id, state: "success" },
    ]);
  }

  /** Another Msg, with one edit. */
  edited(msg: Msg): Msg {
    const content = [...msg.content];
    const [here, there] = [this.#pick(content.length), this.#pick(content.length)];
    const [left, right] = [content[here], content[there]] as [ContentBlock, ContentBlock];
    this.among([
      () => content.splice(here, 1),
      () => content.splice(here, 0, this.block()),
      () => content.splice(here, 1, this.block()),
      () => content.reverse(),
      () => content.splice(here, 1, { ...left, id: this.id() }),
      () => Object.assign(content, { [here]: right, [there]: left }),
      () => content.splice(here, 1, structuredClone(left)),
    ])();
    return { ...msg, content };
  }
}

test.each([1, 2, 3, 4, 5, 6])("seed %i", (seed) => {
  const player = new Player(seed);
  const content = Array.from({ length: 30 }, () => player.block());
  let msg: Msg = { name: "a", role: "assistant", id: "r1", created_at: "t", content };
  const before: Msg[] = [];
  for (let turn = 0; turn < 1500; turn += 1) {
    if (player.maybe(5) && msg.content.length > 0) msg = player.edited(msg);
    if (player.maybe(8) && before.length > 0) msg = player.among(before.slice(-20));
    const event = player.event();
    const was = JSON.stringify(msg);
    const after = reduce(msg, event, QUIET);
    expect(JSON.stringify(msg)).toBe(was);
    expect(JSON.stringify(after)).toBe(JSON.stringify(reduce(JSON.parse(was), event, QUIET)));
    expect(after === msg).toBe(JSON.stringify(after) === was);
    before.push(msg);
    msg = after;
  }
});
