/** What only the client over gRPC has: several servers, TLS, limits, and peers that are no gRPC. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Http2Server } from "node:http2";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GrpcReplyClient, type ReplyStream, type ServiceError } from "../../src/grpc/index.js";
import { InvalidInputError } from "../../src/index.js";
import { AGENTS, freePort, PATIENCE, PYTHON, Server } from "../serving.js";

let folder: string;
let servers: Server[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgfold-"));
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(folder, { recursive: true });
});

async function serve(
  agent: string,
  environment: Record<string, string> = {},
  more: string[] = [],
  grpc?: number,
): Promise<Server> {
  const given = [`${AGENTS}:${agent}`, "--log", join(folder, "replies.db"), "--lease", "0.3"];
  const ports = grpc === undefined ? {} : { grpc };
  const server = await Server.run([...given, ...more], environment, ports);
  servers.push(server);
  return server;
}

async function idsOf(stream: ReplyStream): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for await (const event of stream) ids.push(event.id);
  return ids;
}

function refusal(work: Promise<unknown>): Promise<ServiceError> {
  return work.then(
    () => expect.fail("it was not refused"),
    (error) => error,
  );
}

/** Gives up soon, where nothing is expected to come. */
const BRIEF = { first: 1, longest: 10, firstContact: 50 };

describe("several servers", { timeout: 2 * PATIENCE }, () => {
  test("stand for each other: the next one goes on", async () => {
    const environment = { WORDS: "400", DELAY: "0.004" };
    const first = await serve("steady", environment);
    const port = await freePort();
    const client = new GrpcReplyClient([first.grpcUrl, `http://127.0.0.1:${port}`], {
      retry: { first: 5, longest: 50 },
    });
    const stream = client.replyStream("r1", { linger: 60 });
    const ids: unknown[] = [];
    for await (const event of stream) {
      ids.push(event.id);
      if (ids.length !== 50) continue;
      await first.kill();
      await serve("steady", environment, [], port);
    }
    expect(ids).toEqual(Array.from({ length: 404 }, (_, n) => `e${n}`));
    expect((await client.get("r1")).state).toBe("finished");
  });

  test("are asked in turn from the first request on", async () => {
    const server = await serve("steady", { WORDS: "3" });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const client = new GrpcReplyClient([nobody, nobody, server.grpcUrl]);
    await expect(client.get("r1")).rejects.toMatchObject({ code: "unknown_reply" });
  });

  test.each([
    ["none", []],
    ["no URL", "localhost:50051"],
    ["another scheme", "grpc://localhost"],
    ["no host", "http://"],
    ["one among good ones", ["http://localhost", "http://[oops"]],
  ])("are checked at once: %s", (_, urls) => {
    expect(() => new GrpcReplyClient(urls)).toThrow(InvalidInputError);
  });
});

describe("who asks", { timeout: 2 * PATIENCE }, () => {
  test("says so with a token", async () => {
    const tokens = join(folder, "tokens.json");
    writeFileSync(tokens, '{ "alice": "a-token-of-alice", "bob": "a-token-of-bob--" }');
    const { grpcUrl } = await serve("steady", { WORDS: "3" }, ["--tokens", tokens]);
    const alice = new GrpcReplyClient(grpcUrl, { token: "a-token-of-alice" });
    const bob = new GrpcReplyClient(grpcUrl, { token: "a-token-of-bob--" });
    expect(await idsOf(alice.replyStream("r1"))).toHaveLength(7);
    expect(await refusal(bob.get("r1"))).toMatchObject({ code: "unknown_reply" });
    for (const stranger of [{}, { token: "a guess" }]) {
      const error = await refusal(new GrpcReplyClient(grpcUrl, stranger).get("r1"));
      expect(error.code).toBe("unauthenticated");
    }
  });

  test("says so with a certificate, and trusts the server's", async () => {
    execFileSync(PYTHON, ["-c", PAPERS], { cwd: folder });
    const pem = (name: string) => readFileSync(join(folder, name));
    const { grpcUrl } = await serve("steady", { WORDS: "3" }, [
      ...["--tls-cert", join(folder, "server.pem"), "--tls-key", join(folder, "server.key")],
      ...["--client-ca", join(folder, "ca.pem")],
    ]);
    const ca = pem("ca.pem");
    const [alice, bob] = ["alice", "bob"].map(
      (name) =>
        new GrpcReplyClient(grpcUrl, {
          tls: { ca: String(ca), certificate: pem(`${name}.pem`), key: pem(`${name}.key`) },
        }),
    ) as [GrpcReplyClient, GrpcReplyClient];
    expect(await idsOf(alice.replyStream("r1"))).toHaveLength(7);
    expect((await alice.get("r1")).state).toBe("finished");
    expect(await refusal(bob.get("r1"))).toMatchObject({ code: "unknown_reply" });
    for (const tls of [{}, { ca }]) {
      const stranger = new GrpcReplyClient(grpcUrl, { tls, retry: BRIEF });
      expect(await refusal(stranger.get("r1"))).toMatchObject({
        code: "unavailable",
        message: expect.stringContaining(grpcUrl),
      });
    }
  });
});

/** A certificate authority's files: its own, a server's and two clients'. */
const PAPERS = `
import trustme
authority = trustme.CA()
authority.cert_pem.write_to_path("ca.pem")
for name, made in (
    ("server", authority.issue_cert("127.0.0.1")),
    ("alice", authority.issue_cert("alice@example.org", common_name="alice")),
    ("bob", authority.issue_cert("bob@example.org", common_name="bob")),
):
    made.private_key_pem.write_to_path(name + ".key")
    for blob in made.cert_chain_pems:
        blob.write_to_path(name + ".pem", append=True)
`;

describe("what does not fit", { timeout: 2 * PATIENCE }, () => {
  test("into a message names the limit, and whose it is", async () => {
    const { grpcUrl } = await serve("by_name", { HUGE: "3", WORDS: "3" }, [
      "--max-message",
      "4096",
    ]);
    const generous = new GrpcReplyClient(grpcUrl);
    const [strict, wordy] = [new GrpcReplyClient(grpcUrl, { maxMessage: 512 }), "x".repeat(5000)];
    for (const [work, whose] of [
      [() => idsOf(generous.replyStream(wordy)), "the server's max_message of 4096"],
      [() => idsOf(strict.replyStream(wordy)), "this client's maxMessage of 512"],
      [() => idsOf(strict.replyStream("huge")), "this client's maxMessage of 512"],
    ] as const) {
      expect(await refusal(work())).toMatchObject({
        code: "too_large",
        message: expect.stringContaining(whose),
      });
    }
    expect(await idsOf(generous.resume("huge"))).toHaveLength(7);
  });

  test("into protobuf is refused with its place, and never sent", async () => {
    const client = new GrpcReplyClient(`http://127.0.0.1:${await freePort()}`, { retry: BRIEF });
    const msg = { name: 5, role: "user", content: [] } as never;
    expect(await refusal(idsOf(client.replyStream([msg])))).toMatchObject({
      code: "invalid_request",
      pointer: "/messages/0/name",
    });
    const answer = { type: "USER_INTERRUPT", reply_id: {} } as never;
    expect(await refusal(idsOf(client.replyStream(answer)))).toMatchObject({
      code: "invalid_request",
      pointer: "/answer/reply_id",
    });
  });

  test("as an input is refused, here or there", async () => {
    const { grpcUrl } = await serve("steady");
    for (const wrong of [null, undefined, 7, [], {}, [null], { type: 7 }]) {
      const error = await refusal(idsOf(new GrpcReplyClient(grpcUrl).replyStream(wrong as never)));
      expect(error).toMatchObject({ name: "ServiceError", code: "invalid_request" });
    }
  });

  test("as a setting is refused at once", () => {
    const made = () => new GrpcReplyClient("http://127.0.0.1:1", { token: "\u65e5" });
    expect(made).toThrow("cannot carry");
  });

  test("what is undefined is left out, as it is over HTTP", async () => {
    const { grpcUrl } = await serve("steady", { WORDS: "3" });
    const content = [{ type: "text" as const, text: "r1", id: "t" }];
    const msg = { name: "a", role: "user" as const, content, usage: undefined };
    const whole = { ...msg, id: "m", created_at: "t", metadata: {} };
    const stream = new GrpcReplyClient(grpcUrl).replyStream(whole as never);
    expect(await idsOf(stream)).toHaveLength(7);
  });
});

describe("who is no server of replies", { timeout: 2 * PATIENCE }, () => {
  let stranger: Http2Server;
  let status: number;

  beforeEach(async () => {
    stranger = createServer((_, response) => {
      response.writeHead(status, { "content-type": "text/html" }).end("<p>hello</p>");
    });
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  });

  afterEach(() => void stranger.close());

  test.each([
    [200, "internal"],
    [404, "internal"],
    [403, "internal"],
    [503, "unavailable"],
  ])("answers HTTP %i: %s", async (answer, code) => {
    status = answer;
    const { port } = stranger.address() as { port: number };
    const client = new GrpcReplyClient(`http://127.0.0.1:${port}`, { retry: BRIEF });
    expect((await refusal(client.get("r1"))).code).toBe(code);
    expect((await refusal(idsOf(client.resume("r1")))).code).toBe(code);
  });

  test.each(["http", "https"])("takes connections and says nothing: %s", async (scheme) => {
    const silent = createTcpServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const retry = { ...BRIEF, silence: 300 };
    const client = new GrpcReplyClient(`${scheme}://127.0.0.1:${port}`, { retry });
    expect((await refusal(client.get("r1"))).code).toBe("unavailable");
    expect((await refusal(idsOf(client.resume("r1")))).code).toBe("unavailable");
    const signal = AbortSignal.timeout(10);
    expect(await refusal(client.get("r1", signal))).toMatchObject({ name: "TimeoutError" });
    silent.close();
  });

  test("speaks HTTP/1 only", async () => {
    const { url } = await serve("steady");
    const client = new GrpcReplyClient(url, { retry: BRIEF });
    expect(await refusal(client.get("r1"))).toMatchObject({ code: "unavailable" });
  });
});
