#!/usr/bin/env node
/**
 * This package as a testee: `msgfold conformance run -- node typescript/dist/bin/testee.js`.
 *
 * Reads requests on standard input and answers on standard output, one JSON object a line, as
 * `schemas/conformance/testee.schema.json` has it.
 *
 * @module
 */

import { createInterface } from "node:readline";
import { dumpJson } from "../json.js";
import { RELEASES } from "../revisions.js";
import { decode } from "../testee/decode.js";
import { fold, validate } from "../testee/fold.js";
import { fromProto, toProto } from "../testee/proto.js";
import { VERSION } from "../version.js";

/** A line of standard input. */
interface Request {
  id: number;
  op: string;
  revision: string;
  input: never;
}

const OPS: Record<string, (input: never, revision: string) => object> = {
  fold,
  validate,
  decode,
  to_proto: toProto,
  from_proto: fromProto,
};

/** Who this is, and what it can do. Numbers are not kept as they were written: a double is one. */
const DESCRIPTION = {
  name: "msgfold-typescript",
  language: "typescript",
  version: VERSION,
  protocol: 1,
  revisions: RELEASES,
  ops: Object.keys(OPS),
  features: ["diagnostics", "pointers", "status", "replies", "repeat"],
};

function reply({ id, op, input, revision }: Request): object {
  try {
    if (op === "describe") return { id, result: DESCRIPTION };
    const answer = OPS[op];
    if (answer === undefined) return { id, failure: `no operation ${op}` };
    return { id, result: answer(input, revision) };
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${dumpJson(reply(JSON.parse(line)))}\n`);
}
