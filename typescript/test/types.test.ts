/** What the types say: `npm run types` is what checks this file, with exactOptionalPropertyTypes. */

import { expectTypeOf, test } from "vitest";
import { type Answer, ReplyClient } from "../src/client/index.js";
import {
  type AgentEvent,
  type ContentBlock,
  Folder,
  getContentBlocks,
  type Msg,
  parseEvent,
  reduce,
  type TextBlock,
  type ThinkingBlock,
  userMsg,
  validateValue,
} from "../src/index.js";
import { AgentEventSchema, DataBlockSchema, decodeProto, MsgSchema } from "../src/proto/index.js";

const stamps = { id: "e", created_at: "t", reply_id: "r", block_id: "b" } as const;

test("an event is told by its type, and a slip of the pen is an error", () => {
  const right: AgentEvent = { ...stamps, type: "TEXT_BLOCK_DELTA", delta: "x" };
  // @ts-expect-error delta is missing
  const missing: AgentEvent = { ...stamps, type: "TEXT_BLOCK_DELTA" };
  const typo: AgentEvent = {
    type: "TEXT_BLOCK_DELTA",
    id: "e",
    created_at: "t",
    reply_id: "r",
    block_id: "b",
    delta: "x",
    // @ts-expect-error no such member
    blockId: "b",
  };
  // @ts-expect-error null is not the same as left out
  const none: AgentEvent = { ...stamps, type: "TEXT_BLOCK_END", id: null };
  expectTypeOf([right, missing, typo, none]).toEqualTypeOf<AgentEvent[]>();
});

test("every kind of block can be told, and only thinking is open", () => {
  const shown = (block: ContentBlock): string => {
    switch (block.type) {
      case "text":
        return block.text;
      case "thinking":
        return block.thinking;
      case "hint":
        return typeof block.hint === "string" ? block.hint : "";
      case "tool_call":
        return block.input;
      case "tool_result":
        return typeof block.output === "string" ? block.output : "";
      case "data":
        return block.source.type === "url" ? block.source.url : block.source.data;
      default: {
        const never: never = block;
        return never;
      }
    }
  };
  // @ts-expect-error no such member
  const text: TextBlock = { type: "text", text: "", id: "b", signature: "s" };
  const thinking: ThinkingBlock = { type: "thinking", thinking: "", id: "b", signature: "s" };
  expectTypeOf(shown).parameter(0).toEqualTypeOf<ContentBlock>();
  expectTypeOf([text, thinking]).toEqualTypeOf<(TextBlock | ThinkingBlock)[]>();
});

test("a Msg and its parts have their types, out of protobuf, too", () => {
  const msg = userMsg("alice", "hi");
  expectTypeOf(getContentBlocks(msg, "text")).toEqualTypeOf<TextBlock[]>();
  expectTypeOf(reduce(msg, parseEvent({ ...stamps, type: "TEXT_BLOCK_END" }))).toEqualTypeOf<Msg>();
  expectTypeOf((bytes: Uint8Array) =>
    decodeProto(AgentEventSchema, bytes),
  ).returns.toEqualTypeOf<AgentEvent>();
  expectTypeOf((bytes: Uint8Array) => decodeProto(MsgSchema, bytes)).returns.toEqualTypeOf<Msg>();
  expectTypeOf((bytes: Uint8Array) =>
    decodeProto(DataBlockSchema, bytes),
  ).returns.toEqualTypeOf<object>();
});

test("what is undefined may be given wherever it may be left out", () => {
  const none = (): undefined => undefined;
  const client = new ReplyClient("http://x", { token: none(), retry: { giveUp: none() } });
  client.replyStream("hi", { signal: none(), revision: none(), sessionId: none(), linger: none() });
  client.resume("r", { after: none(), msg: none(), onDiagnostic: none() });
  const answer: Answer = { type: "USER_INTERRUPT", reply_id: "r" };
  client.replyStream(answer);
  new Folder({ revision: none(), onReply: none(), msg: none(), errors: none() });
  userMsg("alice", "hi", { id: none(), metadata: none() });
  validateValue({}, "Msg", { strict: none(), revision: none() });
});
