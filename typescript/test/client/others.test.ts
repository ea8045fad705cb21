/** The client where things are not as they should be: other servers, proxies, plain HTTP. */

import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener, type Server as Web } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { RETRY, retryOf } from "../../src/client/backoff.js";
import { ReplyClient, type ReplyStream, ServiceError } from "../../src/client/index.js";
import { type AgentEvent, getTextContent } from "../../src/index.js";
import { AGENTS, PATIENCE, Server } from "../serving.js";

const ended: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** A server of our own, and where it is. */
async function web(answer: RequestListener): Promise<string> {
  const server: Web = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ended.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

async function read(stream: ReplyStream): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function failure(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => "nothing was wrong",
    (wrong: unknown) => wrong,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

const START = {
  type: "REPLY_START",
  id: "e0",
  created_at: "t",
  reply_id: "r1",
  session_id: "s",
  name: "friday",
};
const FRAME = `id: e0\nevent: REPLY_START\ndata: ${JSON.stringify(START)}\n\n`;
const SSE = { "Content-Type": "text/event-stream; charset=utf-8" };

describe("a server that is another", () => {
  test("and has a page for every path is told at once, not asked again and again", async () => {
    let asked = 0;
    const url = await web((_, response) => {
      asked += 1;
      response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>");
    });
    const client = new ReplyClient(url);
    for (const work of [
      () => read(client.replyStream("hi")),
      () => read(client.resume("r1", { after: "e7" })),
      () => client.get("r1"),
      () => client.cancel("r1"),
    ]) {
      asked = 0;
      const error = await failure(work());
      expect(error).toMatchObject({ code: "internal", status: 200 });
      expect(error.message).toContain(url);
      expect(asked).toBe(1);
    }
  });

  test.each(["null", "[]", "{}", '{"state":7}', "<html>"])("and answers %s", async (said) => {
    const url = await web((_, response) => response.end(said));
    const client = new ReplyClient(url);
    expect((await failure(client.get("r1"))).code).toBe("internal");
    expect((await failure(client.cancel("r1"))).code).toBe("internal");
  });

  test.each(['{"error":7}', '{"error":{"code":7}}', "null", ""])(
    "and refuses with %s",
    async (said) => {
      const url = await web((_, response) => response.writeHead(400).end(said));
      const error = await failure(read(new ReplyClient(url).replyStream("hi")));
      expect(error).toMatchObject({ code: "internal", status: 400 });
    },
  );
});

test("a comment of a proxy's is no reason to end", async () => {
  let asked = 0;
  const url = await web((_, response) => {
    asked += 1;
    response.writeHead(200, SSE);
    response.end(asked === 1 ? `${FRAME}: ping\n\n` : ": finished\n\n");
  });
  const stream = new ReplyClient(url, { retry: { first: 1 } }).replyStream("hi");
  expect((await read(stream)).map(({ id }) => id)).toEqual(["e0"]);
  expect(stream.state).toBe("finished");
});

test("a pause that no timer can wait for is cut short", async () => {
  let asked = 0;
  const url = await web((_, response) => {
    asked += 1;
    response.writeHead(200, SSE);
    response.end(asked === 1 ? `retry: 99999999999999\n${FRAME}` : ": finished\n\n");
  });
  const retry = { giveUp: 300, silence: Number.MAX_SAFE_INTEGER };
  const stream = new ReplyClient(url, { retry }).replyStream("hi");
  await read(stream);
  expect(stream.state).toBe("finished");
});

test("what is left undefined is as if it were left out", async () => {
  const url = await web((_, response) => {
    response.writeHead(200, SSE).end(`${FRAME}: finished\n\n`);
  });
  const retry = { silence: undefined, giveUp: undefined, first: undefined } as never;
  expect(retryOf(retry)).toEqual(RETRY);
  const options = { retry, token: undefined, headers: undefined, fetch: undefined } as never;
  const given = { fold: true, msg: undefined, revision: undefined, signal: undefined } as never;
  const stream = new ReplyClient(url, options).replyStream("hi", given);
  await read(stream);
  expect(stream).toMatchObject({ state: "finished", reconnects: 0, msg: { id: "r1" } });
});

test("a page without HTTPS has no crypto.randomUUID", async () => {
  const bodies: string[] = [];
  const url = await web((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      bodies.push(body);
      response.writeHead(200, SSE).end(`${FRAME}: finished\n\n`);
    });
  });
  const given = Object.getOwnPropertyDescriptor(crypto, "randomUUID");
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  ended.push(async () => {
    if (given === undefined) Reflect.deleteProperty(crypto, "randomUUID");
    else Object.defineProperty(crypto, "randomUUID", given);
  });
  const client = new ReplyClient(url);
  await read(client.replyStream("hi"));
  await read(client.replyStream({ type: "USER_INTERRUPT", reply_id: "r1" }));
  const [first, second] = bodies.map((body) => JSON.parse(body));
  expect(first.request_id).toMatch(/^[0-9a-f]{32}$/);
  expect(second.answer.id).toMatch(/^[0-9a-f]{32}$/);
});

test("a token that no header carries is refused where it is given", () => {
  expect(() => new ReplyClient("http://127.0.0.1:1", { token: "日" })).toThrow(ServiceError);
});

test("what is no input is the service's to refuse", { timeout: 2 * PATIENCE }, async () => {
  const server = await Server.run([`${AGENTS}:steady`]);
  ended.push(() => server.kill());
  for (const wrong of [null, undefined, 7, [], {}, [null], { type: 7 }]) {
    const error = await failure(read(new ReplyClient(server.url).replyStream(wrong as never)));
    expect(error).toMatchObject({ code: "invalid_request", status: 400 });
  }
});

describe("a proxy that keeps Last-Event-ID to itself", { timeout: 4 * PATIENCE }, () => {
  test("sends a reply from its beginning; each event comes once all the same", async () => {
    const folder = mkdtempSync(join(tmpdir(), "msgfold-"));
    const given = [`${AGENTS}:steady`, "--log", join(folder, "replies.db")];
    const server = await Server.run(given, { WORDS: "40" });
    ended.push(() => server.kill());
    ended.push(async () => rmSync(folder, { recursive: true }));
    let cuts = [1000, 2500, 3000, 6000];
    const through: typeof fetch = async (where, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("Last-Event-ID");
      const response = await fetch(where, { ...init, headers });
      const limit = cuts.shift();
      if (limit === undefined || response.body === null) return response;
      let passed = 0;
      const cut = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, Math.max(0, limit - passed)));
          passed += chunk.length;
          if (passed > limit) controller.error(new TypeError("terminated"));
        },
      });
      return new Response(response.body.pipeThrough(cut), response);
    };
    const client = new ReplyClient(server.url, { retry: { first: 1 }, fetch: through });
    const stream = client.replyStream("r1", { linger: 60, fold: true });
    const ids = (await read(stream)).map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: 44 }, (_, at) => `e${at}`));
    expect(stream.reconnects).toBe(4);
    const { msg } = await client.get("r1");
    expect(stream.msg && getTextContent(stream.msg)).toBe(msg && getTextContent(msg));

    cuts = [1000, 1500];
    const again = await read(client.resume("r1"));
    expect(again.map(({ id }) => id)).toEqual(ids);
  });
});
