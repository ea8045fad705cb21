/** The clients against the real service, which is killed, started again, and cut off. */

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  type AnyReplyClient,
  type ClientOptions,
  ReplyClient,
  type ReplyStream,
  ServiceError,
} from "../../src/client/index.js";
import { GrpcReplyClient } from "../../src/grpc/index.js";
import { dump, getTextContent, replyStatus } from "../../src/index.js";
import type { AgentEvent, Msg, ToolCallBlock, ToolResultBlock } from "../../src/types.js";
import { AGENTS, Cutter, eventually, freePort, PATIENCE, Server } from "../serving.js";

/** What carries replies: the same is expected of all. */
const CARRIERS = {
  HTTP: {
    clientOf: (url: string, options: ClientOptions): AnyReplyClient =>
      new ReplyClient(url, options),
    urlOf: (server: Server) => server.url,
    portOf: (port: number) => ({ http: port }),
    status: 404 as number | undefined,
  },
  gRPC: {
    clientOf: (url: string, options: ClientOptions): AnyReplyClient =>
      new GrpcReplyClient(url, options),
    urlOf: (server: Server) => server.grpcUrl,
    portOf: (port: number) => ({ grpc: port }),
    status: undefined,
  },
};

let folder: string;
let servers: Server[];
let cutters: Cutter[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgfold-"));
  servers = [];
  cutters = [];
});

afterEach(async () => {
  for (const cutter of cutters) cutter.close();
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(folder, { recursive: true });
});

/** The ids of a reply of {@link serve}'s steady agent. */
const idsOf = (words: number) => Array.from({ length: words + 4 }, (_, n) => `e${n}`);

async function read(stream: ReplyStream): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function refusal(stream: ReplyStream): Promise<ServiceError> {
  const error = await read(stream).catch((wrong) => wrong);
  expect(error).toBeInstanceOf(ServiceError);
  return error;
}

const diary = () => readFileSync(join(folder, "diary"), "utf8");

describe.each(Object.entries(CARRIERS))("over %s", (_, { clientOf, urlOf, portOf, status }) => {
  /** A server with an agent of the Python tests, and a client of it. */
  async function serve(
    agent: string,
    words = 100,
    delay = 0,
    spoken = 0,
    more: string[] = [],
  ): Promise<[AnyReplyClient, Server]> {
    const environment = {
      WORDS: String(words),
      DELAY: String(delay),
      SPOKEN: String(spoken),
      DIARY: join(folder, "diary"),
    };
    const given = [`${AGENTS}:${agent}`, "--log", join(folder, "replies.db"), "--lease", "0.3"];
    const server = await Server.run([...given, ...more], environment);
    servers.push(server);
    const retry = { first: 20, longest: 200, firstContact: PATIENCE };
    return [clientOf(urlOf(server), { retry }), server];
  }

  /** A client of a server, whose connections are cut after so many bytes each. */
  async function cut(server: Server, limits: number[]): Promise<[AnyReplyClient, Cutter]> {
    const cutter = await Cutter.before(urlOf(server), limits);
    cutters.push(cutter);
    return [clientOf(cutter.url, { retry: { first: 1, firstContact: PATIENCE } }), cutter];
  }

  describe("a reply", { timeout: 2 * PATIENCE }, () => {
    test("comes whole, in order, and says where it stands", async () => {
      const [client] = await serve("steady");
      const stream = client.replyStream("r1");
      const events = await read(stream);
      expect(events.map((event) => event.id)).toEqual(idsOf(100));
      expect(stream).toMatchObject({
        replyId: "r1",
        state: "finished",
        lastEventId: "e103",
        reconnects: 0,
      });
      const reply = await client.get("r1");
      expect(reply).toMatchObject({ state: "finished", last_event_id: "e103" });
      expect(reply.msg?.id).toBe("r1");
    });

    test("waits for a person and an executor, and goes on with their answers", async () => {
      const [client] = await serve("hurried");
      const first = client.replyStream("tidy up");
      const question = (await read(first)).at(-1) as AgentEvent & { tool_calls: ToolCallBlock[] };
      expect([question.type, first.state]).toEqual([
        "REQUIRE_USER_CONFIRM",
        "waiting_confirmation",
      ]);
      const reply_id = first.replyId;

      const confirm_results = question.tool_calls.map((tool_call: ToolCallBlock) => ({
        confirmed: true,
        tool_call,
      }));
      const second = client.replyStream({ type: "USER_CONFIRM_RESULT", reply_id, confirm_results });
      expect((await read(second))[0]?.type).toBe("USER_CONFIRM_RESULT");
      expect(second.state).toBe("waiting_execution");

      const execution_results: ToolResultBlock[] = [
        {
          type: "tool_result",
          id: "call_2",
          name: "browser_click",
          output: "ok",
          state: "success",
        },
      ];
      const third = client.replyStream({
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id,
        execution_results,
      });
      expect((await read(third)).at(-1)?.type).toBe("REPLY_END");
      expect(third.state).toBe("finished");
    });

    test("is folded when that is asked for, event by event", async () => {
      const [client] = await serve("hurried");
      const first = client.replyStream("tidy up", { fold: true });
      let last = "";
      for await (const event of first) {
        expect(first.msg?.id).toBe(first.replyId);
        // The Msg is never ahead of the events that were given out.
        const text = (first.msg && getTextContent(first.msg)) ?? "";
        if (event.type !== "TEXT_BLOCK_DELTA") expect(text).toBe(last);
        else expect(text).toBe(last + event.delta);
        last = text;
      }
      const { msg } = await client.get(first.replyId);
      expect(first.msg && dump(first.msg)).toEqual(msg);

      const answer: Answer = { type: "USER_INTERRUPT", reply_id: first.replyId };
      const second = client.replyStream(answer, { msg: first.msg as Msg });
      for await (const events of second.batches()) expect(events.length).toBeGreaterThan(0);
      expect(second.msg).toBe(first.msg);
      expect(second.msg && dump(second.msg)).toEqual((await client.get(first.replyId)).msg);
      expect(second.msg && replyStatus(second.msg)).toBe("finished");
    });

    test("that was begun elsewhere is read on from an event", async () => {
      const [client] = await serve("steady");
      await read(client.replyStream("r1"));
      const stream = client.resume("r1", { after: "e50" });
      expect((await read(stream)).map((event) => event.id)).toEqual(idsOf(100).slice(51));
      const whole = await read(client.resume("r1"));
      expect(whole.map((event) => event.id)).toEqual(idsOf(100));
      expect(await read(client.resume("r1", { after: "e103" }))).toEqual([]);
    });
  });

  describe("where a reader stands", { timeout: 2 * PATIENCE }, () => {
    test("is behind the event that he has, not behind what came with it", async () => {
      const [client] = await serve("steady");
      await read(client.replyStream("r1"));
      for (const stop of ["e0", "e7", "e50"]) {
        const stream = client.resume("r1");
        for await (const event of stream) {
          expect(stream.lastEventId).toBe(event.id);
          if (event.id === stop) break;
        }
        const rest = idsOf(100).slice(idsOf(100).indexOf(stop) + 1);
        const later = client.resume("r1", { after: stream.lastEventId });
        expect((await read(later)).map(({ id }) => id)).toEqual(rest);
        // The same stream, taken up again, goes on there, too.
        expect((await read(stream)).map(({ id }) => id)).toEqual(rest);
      }
      const batched = client.resume("r1");
      for await (const events of batched.batches()) {
        expect(batched.lastEventId).toBe(events.at(-1)?.id);
      }
    });

    test("cannot be a reply whose id no path carries", async () => {
      const [client] = await serve("steady");
      for (const id of ["", ".", "..", "\ud800"]) {
        for (const work of [
          () => client.get(id),
          () => client.cancel(id),
          () => read(client.resume(id)),
        ]) {
          await expect(work()).rejects.toMatchObject({
            name: "ServiceError",
            code: "unknown_reply",
          });
        }
      }
    });
  });

  describe("each event comes once", { timeout: 4 * PATIENCE }, () => {
    test("when the server is killed in the middle, again and again", async () => {
      const [client, server] = await serve("steady", 1000, 0.004);
      const stream = client.replyStream("r1", { linger: 60 });
      const ids: unknown[] = [];
      for await (const event of stream) {
        ids.push(event.id);
        if ([1, 100, 400].includes(ids.length)) {
          await server.kill();
          await server.start();
        }
      }
      expect(ids).toEqual(idsOf(1000));
      expect(stream.state).toBe("finished");
      expect(stream.reconnects).toBeGreaterThanOrEqual(3);
    });

    test("when the server is told to stop, and another one goes on", async () => {
      const [client, server] = await serve("steady", 1000, 0.004, 0, ["--grace", "0"]);
      const stream = client.replyStream("r1", { linger: 60 });
      const ids: unknown[] = [];
      for await (const event of stream) {
        ids.push(event.id);
        if (ids.length !== 100) continue;
        await server.terminate();
        await server.start();
      }
      expect(ids).toEqual(idsOf(1000));
      expect(stream.reconnects).toBeGreaterThanOrEqual(1);
    });

    test.each([
      ["steady", 0],
      ["unspeakable", 0],
      ["unspeakable", 3],
    ])("wherever the connection is cut, whatever ids there are: %s, %i", async (agent, spoken) => {
      const [, server] = await serve(agent, 60, 0, spoken);
      const [uncut, through] = await cut(server, []);
      await read(uncut.replyStream("whole"));
      const { passed } = through;
      for (let n = 0; n < passed; n += Math.ceil(passed / 13)) {
        const [client] = await cut(server, [n, n, n + 400]);
        const stream = client.replyStream(`r${n}`, { linger: 60 });
        const ids = (await read(stream)).map((event) => event.id?.trim());
        expect(ids).toEqual(idsOf(60));
        // How many bytes a reply takes depends on what was ready together.
        if (n < passed / 2) expect(stream.reconnects).toBeGreaterThanOrEqual(1);
      }
    });

    test("when the connection dies without a word", async () => {
      const [, server] = await serve("steady", 1000, 0.004);
      const retry = { first: 10, longest: 50, silence: 1000, giveUp: PATIENCE };
      const stream = clientOf(urlOf(server), { retry }).replyStream("r1", { linger: 60 });
      const ids: unknown[] = [];
      for await (const event of stream) {
        ids.push(event.id);
        if (event.id !== "e20") continue;
        server.stop();
        void eventually(() => stream.reconnects > 0).then(() => server.goOn());
      }
      expect(ids).toEqual(idsOf(1000));
      expect(stream.reconnects).toBeGreaterThan(0);
    });

    test("when the server is not there at first", async () => {
      const port = await freePort();
      const client = clientOf(`http://127.0.0.1:${port}`, {
        retry: { firstContact: PATIENCE },
      });
      const events = read(client.replyStream("r1"));
      servers.push(
        await Server.run(
          [`${AGENTS}:steady`, "--log", join(folder, "r.db")],
          { WORDS: "10" },
          portOf(port),
        ),
      );
      expect((await events).map((event) => event.id)).toEqual(idsOf(10));
    });
  });

  describe("whoever leaves", { timeout: 2 * PATIENCE }, () => {
    test("a reply that he started stops its agent, by breaking the loop", async () => {
      const [client] = await serve("steady", 1_000_000, 0.001);
      for await (const event of client.replyStream("r1", { linger: 60 })) {
        if (event.id === "e20") break;
      }
      await eventually(() => diary().includes("cancelled"));
      await eventually(async () => (await client.get("r1")).state === "finished");
    });

    test("through a signal gets the signal's reason, and stops its agent", async () => {
      const [client] = await serve("steady", 1_000_000, 0.001);
      const controller = new AbortController();
      const stream = client.replyStream("r1", { linger: 60, signal: controller.signal });
      const reading = (async () => {
        for await (const event of stream) if (event.id === "e20") controller.abort("enough");
      })();
      await expect(reading).rejects.toBe("enough");
      await eventually(() => diary().includes("cancelled"));
    });

    test("before the first event stops the agent all the same", async () => {
      const [client] = await serve("steady", 1_000_000, 0.001);
      const controller = new AbortController();
      const stream = client.replyStream("r1", { linger: 60, signal: controller.signal });
      const reading = read(stream);
      controller.abort();
      await expect(reading).rejects.toMatchObject({ name: "AbortError" });
      await eventually(async () => (await client.get("r1")).state === "finished");
    });

    test("while the agent says nothing stops it at once", async () => {
      const [client] = await serve("steady", 10, PATIENCE);
      for (const how of ["return", "throw"] as const) {
        const stream = client.replyStream(how, { linger: 60 });
        const iterator = stream[Symbol.asyncIterator]();
        expect((await iterator.next()).value).toMatchObject({ type: "REPLY_START" });
        const awaited = iterator.next();
        await iterator[how](undefined).catch((error) => expect(error).toBeUndefined());
        expect(await awaited).toEqual({ done: true, value: undefined });
        await eventually(async () => (await client.get(how)).state === "finished");
      }
    });

    test("a reply that he only reads leaves its agent at work", async () => {
      const [client] = await serve("steady", 400, 0.002);
      const started = read(client.replyStream("r1"));
      await eventually(async () => (await client.get("r1").catch(() => undefined)) !== undefined);
      for await (const event of client.resume("r1")) if (event.id === "e20") break;
      expect(await started).toHaveLength(404);
      expect(diary()).not.toContain("cancelled");
    });
  });

  describe("whoever leaves at a question", { timeout: 2 * PATIENCE }, () => {
    test("before the state has come cancels the reply", async () => {
      const [client] = await serve("hurried");
      const stream = client.replyStream("tidy up", { linger: 60 });
      for await (const event of stream) if (event.type === "REQUIRE_USER_CONFIRM") break;
      // It may have come together with the question.
      const stands = stream.state ?? "finished";
      await eventually(async () => (await client.get(stream.replyId)).state === stands);
    });

    test("and only resumed it leaves it waiting", async () => {
      const [client] = await serve("hurried");
      const started = client.replyStream("tidy up", { linger: 60 });
      const question = (await read(started)).at(-1) as AgentEvent;
      for await (const event of client.resume(started.replyId)) if (event.id === question.id) break;
      const answer = { type: "USER_INTERRUPT" as const, reply_id: started.replyId };
      expect((await read(client.replyStream(answer))).at(-1)?.type).toBe("REPLY_END");
    });
  });

  describe("leaving", { timeout: 2 * PATIENCE }, () => {
    test("ends the stream at the server, however often", async () => {
      const [client] = await serve("steady", 1_000_000, 0.001, 0, ["--max-streams", "2"]);
      const started = client.replyStream("r1", { linger: 60 })[Symbol.asyncIterator]();
      await started.next();
      const glimpse = async () => {
        for await (const event of client.resume("r1")) if (event.id === "e5") return true;
        return false;
      };
      for (let times = 0; times < 5; times += 1) {
        await eventually(() =>
          glimpse().catch((error) => {
            if (error.code === "too_many_streams") return false;
            throw error;
          }),
        );
      }
      await started.return();
      await eventually(() => diary().includes("cancelled"));
    });
  });

  describe("what the service refuses", { timeout: 2 * PATIENCE }, () => {
    test("is an error with its code", async () => {
      const [client] = await serve("steady", 5);
      expect(await refusal(client.resume("nobody"))).toMatchObject({
        code: "unknown_reply",
        status,
      });
      await read(client.replyStream("r1"));
      expect((await refusal(client.resume("r1", { after: "no such event" }))).code).toBe(
        "unknown_event",
      );
      const answer = { type: "USER_INTERRUPT" as const, reply_id: "r1" };
      expect((await refusal(client.replyStream(answer))).code).toBe("not_waiting");
      const wrong = [{ name: "a" }] as never;
      expect(await refusal(client.replyStream(wrong))).toMatchObject({
        code: "invalid_request",
        pointer: expect.stringContaining("/messages/0"),
      });
    });

    test("is a reply that broke off, with its reason", async () => {
      const [client, server] = await serve("not_resumable", 100, 0.05);
      const stream = client.replyStream("r1", { linger: 60 });
      const reading = (async () => {
        for await (const event of stream) {
          if (event.id !== "e3") continue;
          await server.kill();
          await server.start();
        }
      })();
      await expect(reading).rejects.toMatchObject({ code: "broken_off" });
      expect(stream.state).toBe("broken_off");
    });

    test("is no server, after some patience", async () => {
      const client = clientOf(`http://127.0.0.1:${await freePort()}`, {
        retry: { first: 1, longest: 10, firstContact: 50 },
      });
      expect((await refusal(client.replyStream("r1"))).code).toBe("unavailable");
    });
  });
});
