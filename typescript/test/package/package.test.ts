/**
 * The package as a user gets it: packed, installed into an empty project, imported by Node, and by a
 * page in a real Chromium that folds a live stream of the real service while it draws.
 */

import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server as Files } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AGENTS, PATIENCE, Server } from "../serving.js";

const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);

let project: string;
let install: (...packages: string[]) => void;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "msgfold-project-"));
  const run = (program: string, given: string[], cwd: string) =>
    execFileSync(program, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  const [packed] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", project], PACKAGE),
  );
  writeFileSync(join(project, "package.json"), '{ "private": true }');
  install = (...packages) =>
    run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], project);
  install(packed.filename);
}, 2 * PATIENCE);

afterAll(() => rmSync(project, { recursive: true }));

/** What a module says that is run in the project. */
function node(code: string): string {
  const given = ["--input-type=module", "--eval", code];
  return execFileSync("node", given, { cwd: project, encoding: "utf8", stdio: "pipe" });
}

/** What examples take for given: names of the package, and of the program around them. */
const GIVEN: [string, string][] = [
  ...Object.entries({
    msgfold:
      "AgentEvent appendEvent assistantMsg EventReader Folder getTextContent MsgfoldError " +
      "ndjsonEvents reduce SseDecoder sseEvents",
    "msgfold/client": "ReplyClient",
    "msgfold/grpc": "GrpcReplyClient",
    "msgfold/proto": "AgentEventSchema decodeProto encodeProto toProto",
  }).flatMap(([from, names]) =>
    names.split(" ").map((name): [string, string] => [name, `import { ${name} } from "${from}";`]),
  ),
  ...Object.entries({
    body: "ReadableStream<Uint8Array>",
    controller: "AbortController",
    event: 'import("msgfold").AgentEvent',
    folder: 'import("msgfold").Folder',
    render: "(drawn: unknown) => void",
    response: "Response",
    socket: "WebSocket",
    stamps: "{ id: string; created_at: string }",
    token: "string",
  }).map(([name, type]): [string, string] => [name, `declare const ${name}: ${type};`]),
];

/** The code of every example. */
function examples(): string[] {
  const sources = readdirSync(join(PACKAGE, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("_"))
    .map((name) => join(PACKAGE, "src", name));
  return [join(PACKAGE, "README.md"), ...sources].flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(/^( \* )?```ts\n(.*?)```/gms), ([, , code]) =>
      (code as string).replace(/^ \* ?/gm, ""),
    ),
  );
}

describe("in Node", () => {
  test("every entry point is imported, and works", () => {
    const said = node(`
      import { fold, getTextContent, sseEvents } from "msgfold";
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

  test("only what reads protobuf needs another package", () => {
    const [there, hidden] = [join(project, "node_modules/@bufbuild"), join(project, "hidden")];
    renameSync(there, hidden);
    try {
      expect(node('import "msgfold"; import "msgfold/client"; console.log("fine")')).toBe("fine\n");
      for (const from of ["msgfold/proto", "msgfold/grpc"]) {
        expect(() => node(`import "${from}"`)).toThrow("@bufbuild/protobuf");
      }
    } finally {
      renameSync(hidden, there);
    }
  });

  test("a TypeScript project finds the types", () => {
    checkTypes(
      `import { sseEvents } from "msgfold";
       import { ReplyClient } from "msgfold/client";
       const client: ReplyClient = new ReplyClient("http://localhost");
       for await (const event of client.replyStream("hi")) { const type: string = event.type; }
       for await (const event of sseEvents(null)) { const type: string = event.type; }`,
    );
  });

  test("CommonJS may require it, and tools find its package.json", () => {
    const code = `
      const { reduce } = require("msgfold");
      const { version } = require("msgfold/package.json");
      require("msgfold/grpc");
      import("msgfold").then((again) => console.log(version, again.reduce === reduce));`;
    const given = ["--input-type=commonjs", "--no-warnings", "--eval", code];
    const [major, minor] = process.versions.node.split(".").map(Number) as [number, number];
    const can = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
    if (!can) return; // require of an ES module is younger than the oldest Node here
    const said = execFileSync("node", given, { cwd: project, encoding: "utf8" });
    expect(said).toMatch(/^\d+\.\d+\.\d+ true\n$/);
  });

  test("every example in the README and in the comments is TypeScript that compiles", () => {
    const found = examples();
    expect(found.length).toBeGreaterThan(10);
    const files = found.map((code, at) => {
      // What an example takes for given, unless it makes it itself.
      const own = new Set(
        Array.from(code.matchAll(/^(?:const|let) (\w+)|import \{([^}]*)\}/gm), ([, name, names]) =>
          (name ?? names ?? "").split(",").map((each) => each.trim()),
        ).flat(),
      );
      const given = GIVEN.filter(([name]) => !own.has(name)).map(([, line]) => line);
      const file = `example${at}.ts`;
      writeFileSync(join(project, file), [...given, code, "export {};"].join("\n"));
      return file;
    });
    const tsc = join(PACKAGE, "node_modules", ".bin", "tsc");
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
    const options = [...strict, "--lib", "es2023,dom,dom.iterable", "--skipLibCheck"];
    try {
      execFileSync(tsc, [...options, ...files], { cwd: project, encoding: "utf8" });
    } catch (error) {
      throw new Error((error as { stdout: string }).stdout);
    }
  });
});

/** A module in TypeScript, compiled in the project. */
function checkTypes(code: string): void {
  writeFileSync(join(project, "use.ts"), code);
  const tsc = join(PACKAGE, "node_modules", ".bin", "tsc");
  const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022"];
  const given = [...strict, "--lib", "es2023,dom,dom.iterable", "use.ts"];
  const manifest = join(project, "package.json");
  const { type = "module", ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
  writeFileSync(manifest, JSON.stringify({ ...rest, type }));
  execFileSync(tsc, given, { cwd: project, encoding: "utf8", stdio: "pipe" });
}

describe("over gRPC", () => {
  const PEERS = ["@connectrpc/connect", "@connectrpc/connect-node"];
  let service: Server;

  beforeAll(async () => {
    const log = join(project, "replies.db");
    service = await Server.run([`${AGENTS}:steady`, "--log", log], { WORDS: "20" });
  }, 2 * PATIENCE);

  afterAll(() => service?.kill());

  /** What a program says that reads a reply; it has to end by itself. */
  const read = () =>
    node(`
      import { GrpcReplyClient, ServiceError } from "msgfold/grpc";
      import { ServiceError as Same } from "msgfold/client";
      const client = new GrpcReplyClient(${JSON.stringify(service.grpcUrl)});
      const stream = client.replyStream("r1", { fold: true });
      let count = 0;
      for await (const event of stream) count += 1;
      console.log(count, stream.state, stream.msg.id, Same === ServiceError);
    `);

  test("it is said what to install", () => {
    expect(existsSync(join(project, "node_modules", "@connectrpc"))).toBe(false);
    expect(node('import "msgfold/grpc"; console.log("fine")')).toBe("fine\n");
    expect(read).toThrow(`run: npm install ${PEERS.join(" ")}`);
  });

  test("and installed, a reply is read, with the types in place", { timeout: PATIENCE }, () => {
    const { devDependencies } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
    install(...PEERS.map((name) => `${name}@${devDependencies[name]}`));
    expect(read()).toBe("24 finished r1 true\n");
    checkTypes(
      `import { GrpcReplyClient, type AnyReplyClient } from "msgfold/grpc";
       import { ReplyClient } from "msgfold/client";
       const over = (name: string): AnyReplyClient =>
         name === "grpc" ? new GrpcReplyClient("http://a") : new ReplyClient("http://a");
       for await (const event of over("grpc").replyStream("hi")) { const type: string = event.type; }`,
    );
  });
});

// Behind the tests that install what it needs.
describe("an example that answers", { timeout: PATIENCE }, () => {
  let service: Server;

  beforeAll(async () => {
    service = await Server.run(["--log", join(project, "script.db")]);
  }, 2 * PATIENCE);

  afterAll(() => service?.kill());

  test("talks to the scripted agent until its reply is over", () => {
    const example = readFileSync(join(PACKAGE, "examples", "answer.js"));
    writeFileSync(join(project, "answer.js"), example);
    const given = ["answer.js", service.grpcUrl, "tidy up"];
    const said = execFileSync("node", given, { cwd: project, encoding: "utf8", stdio: "pipe" });
    expect(said.split("\n").slice(0, 3)).toEqual([
      "waiting_confirmation",
      "waiting_execution",
      "finished",
    ]);
    expect(said).toContain("You said: tidy up. I would tidy up first.\nAll done.");
  });

  test("stands in the README", () => {
    const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
    const [, code = ""] = /^## Over gRPC$.*?^```ts$(.*?)^```$/ms.exec(readme) ?? [];
    checkTypes(code);
    const said = node(code.replace("http://127.0.0.1:50051", service.grpcUrl)).split("\n");
    expect(said).toContain("USER_CONFIRM_RESULT");
    expect(said).toContain("REQUIRE_EXTERNAL_EXECUTION");
  });
});

describe("in a bundle", () => {
  const READS = /^dist\/(streams|client|_protobuf|proto)\//;

  test.each([
    ["getTextContent", "msgfold", /./, ["dist/message.js"]],
    ["reduce", "msgfold", /^(dist\/fold\/stream\.js|dist\/parse|dist\/mint|@bufbuild)/, []],
    ["reduce", "msgfold", READS, []],
    ["sseEvents", "msgfold", /^dist\/(fold|validate|client|contract|refuse)/, []],
    ["parseEvent", "msgfold", READS, []],
    ["ReplyClient", "msgfold/client", /_protobuf|@bufbuild|json-faults|validate\/stream/, []],
  ])("%s of %s brings nothing that it does not need: %s", async (name, from, needless, but) => {
    const modules = await bundled(`export { ${name} } from "${from}";`);
    expect(modules).not.toEqual([]);
    expect(modules.filter((module) => needless.test(module))).toEqual(but);
  });

  test.each([
    ["msgfold", "browser"],
    ["msgfold/client", "browser"],
    ["msgfold/grpc", "node"],
    ["msgfold/proto", "browser"],
  ] as const)("%s, not used, is nothing", async (from, platform) => {
    expect(await bundled(`import "${from}";`, platform)).toEqual([]);
  });
});

/** The modules of which a bundle of some code holds a part, as files of their packages. */
async function bundled(code: string, platform: "browser" | "node" = "browser"): Promise<string[]> {
  const input = join(project, "bundle.js");
  writeFileSync(input, code);
  const bundle = await rolldown({ input, cwd: project, platform });
  const { output } = await bundle.generate({ format: "esm" });
  await bundle.close();
  return Object.entries(output[0].modules)
    .filter(([id, { renderedLength }]) => id !== input && renderedLength > 0)
    .map(([id]) => id.replace(/^.*node_modules\/(msgfold\/)?/, ""));
}

describe.runIf(CHROMIUM !== undefined || process.env.CI)("in Chromium", () => {
  let files: Files;
  let browser: Browser;
  let service: Server;

  beforeAll(async () => {
    mkdirSync(join(project, "examples"));
    const page = readFileSync(join(PACKAGE, "examples", "live.html"));
    writeFileSync(join(project, "examples", "live.html"), page);
    files = await serveFiles(project);
    const { port } = files.address() as { port: number };
    const origin = `http://127.0.0.1:${port}`;
    service = await Server.run(["--cors", origin]);
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox", // CI is root, and the pages are ours
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
  }, 2 * PATIENCE);

  afterAll(async () => {
    await browser?.close();
    await service?.kill();
    files?.close();
  });

  test("the example draws a reply while it streams, and asks", {
    timeout: 2 * PATIENCE,
  }, async () => {
    const { port } = files.address() as { port: number };
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE);
    const wrong: string[] = [];
    page.on("pageerror", (error) => wrong.push(String(error)));
    const where = new URLSearchParams({ service: service.url });
    await page.goto(`http://127.0.0.1:${port}/examples/live.html?${where}`);
    // Every text that the page has shown, as it was drawn.
    await page.evaluate(() => {
      const main = document.querySelector("main") as HTMLElement;
      const shown: string[] = [];
      Object.assign(window, { shown });
      const look = () => shown.push(main.textContent ?? "");
      new MutationObserver(look).observe(main, { childList: true, subtree: true });
    });
    await page.fill("input", "good morning");
    await page.click("form button");
    await page.click("text=allow");
    await page.waitForSelector("output:text('waiting_execution')");

    const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown);
    const hello = shown.filter((text) => text.includes("You said:"));
    expect(new Set(hello.map((text) => text.length)).size).toBeGreaterThan(3);
    expect(hello.some((text) => !text.includes("tidy up first."))).toBe(true);
    const last = shown.at(-1);
    expect(last).toContain("You said: good morning. I would tidy up first.");
    expect(last).toContain('delete_file({"path": "notes/old.txt"}) finished');
    expect(wrong).toEqual([]);
  });
});

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

function serveFiles(root: string): Promise<Files> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(root, pathname);
    if (!existsSync(path) || TYPES[extname(path)] === undefined) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": TYPES[extname(path)] }).end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}
