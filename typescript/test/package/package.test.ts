/** The package as a user gets it: packed, installed into an empty project, and imported. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PATIENCE } from "../serving.js";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "msgfold-project-"));
  const run = (program: string, given: string[], cwd: string) =>
    execFileSync(program, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", project], PACKAGE),
  );
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", packed.filename], project);
}, 2 * PATIENCE);

afterAll(() => rmSync(project, { recursive: true }));

/** What a module says that is run in the project. */
function node(code: string): string {
  const given = ["--input-type=module", "--eval", code];
  return execFileSync("node", given, { cwd: project, encoding: "utf8" });
}

describe("in Node", () => {
  test("every entry point is imported, and works", () => {
    const said = node(`
      import { sseEvents } from "msgfold";
      import { ReplyClient } from "msgfold/client";
      import { AgentEventSchema, decodeProto, encodeProto } from "msgfold/proto";
      const event = { type: "TEXT_BLOCK_DELTA", reply_id: "r", block_id: "b", delta: "Hi",
                      id: "e", created_at: "t", metadata: {} };
      const sse = new Response("data: " + JSON.stringify(event) + "\\n\\n").body;
      for await (const each of sseEvents(sse)) {
        const back = decodeProto(AgentEventSchema, encodeProto(AgentEventSchema, each));
        console.log(back.delta, typeof ReplyClient);
      }
    `);
    expect(said).toBe("Hi function\n");
  });

  test("only the protobuf entry point needs another package", () => {
    const [there, hidden] = [join(project, "node_modules/@bufbuild"), join(project, "hidden")];
    renameSync(there, hidden);
    try {
      expect(node('import "msgfold"; import "msgfold/client"; console.log("fine")')).toBe("fine\n");
      expect(() => node('import "msgfold/proto"')).toThrow("@bufbuild/protobuf");
    } finally {
      renameSync(hidden, there);
    }
  });

  test("a TypeScript project finds the types", () => {
    writeFileSync(
      join(project, "use.ts"),
      `import { sseEvents } from "msgfold";
       import { ReplyClient } from "msgfold/client";
       const client: ReplyClient = new ReplyClient("http://localhost");
       for await (const event of client.replyStream("hi")) { const type: string = event.type; }
       for await (const event of sseEvents(null)) { const type: string = event.type; }`,
    );
    const tsc = join(PACKAGE, "node_modules", ".bin", "tsc");
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
    const given = [...strict, "--lib", "es2023,dom,dom.iterable", "use.ts"];
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
    execFileSync(tsc, given, { cwd: project, encoding: "utf8" });
  });
});
