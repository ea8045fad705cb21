// A testee to start from, in TypeScript.
//
//     npm ci && npx tsc
//     msgfold conformance run -- node testee.js
//
// It folds text, so some cases pass at once. `fold` is where a call of your own reducer goes; the
// rest is the protocol: one JSON object a line, requests in, replies out, logs on standard error.
import { createInterface } from "node:readline";

type Json = Record<string, any>;

const ABOUT = {
  name: "skeleton",
  language: "typescript",
  version: "0.1.0",
  protocol: 1,
  revisions: ["2.0.4"], // the AgentScope releases that you behave as
  ops: ["fold"], // and validate, decode, to_proto, from_proto, as you have them
  features: [], // what you can beyond the Msg: diagnostics, pointers, status, ...
};

/** The Msg after the events. Replace it. */
function fold(msg: Json | null, events: Json[]): Json | null {
  return events.reduce(appendEvent, msg);
}

function appendEvent(msg: Json | null, event: Json): Json | null {
  if (event.type === "REPLY_START" && msg === null) {
    return {
      name: event.name,
      content: [],
      role: event.role ?? "assistant",
      id: event.reply_id,
      metadata: {},
      created_at: event.created_at,
      finished_at: null,
      usage: null,
    };
  }
  if (msg === null || event.reply_id !== msg.id) return msg; // of another reply
  switch (event.type) {
    case "TEXT_BLOCK_START":
      msg.content.push({ type: "text", text: "", id: event.block_id });
      break;
    case "TEXT_BLOCK_DELTA": {
      const named = (block: Json) => block.type === "text" && block.id === event.block_id;
      const block = msg.content.find(named);
      if (block) block.text += event.delta;
      break;
    }
    case "REPLY_END":
      msg.finished_at = event.created_at;
  }
  return msg;
}

/** The result of one request. */
function answer(request: Json): Json {
  if (request.op === "describe") return ABOUT;
  const { msg, events } = request.input;
  if (events === undefined) throw new Error("events as text are not read yet");
  return { msg: fold(msg, events) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: Json = JSON.parse(line);
  let reply: Json;
  try {
    reply = { id: request.id, result: answer(request) };
  } catch (error) {
    // Your own fault, told apart from a wrong answer.
    reply = { id: request.id, failure: String(error) };
  }
  console.log(JSON.stringify(reply));
}
