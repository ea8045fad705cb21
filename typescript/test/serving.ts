/** `msgfold serve` as a process that can be killed, and a proxy that cuts connections. */

import { type ChildProcess, spawn } from "node:child_process";
import { connect, createServer, type Socket, type Server as Tcp } from "node:net";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const PYTHON = process.env.MSGFOLD_PYTHON ?? `${ROOT}.venv/bin/python`;

/** Agents of the Python tests; each says the same every time. */
export const AGENTS = `${ROOT}python/tests/replies/agents.py`;

/** How long a test waits for something that has to come, however slow the machine. */
export const PATIENCE = 60_000;

export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Until something holds. */
export async function eventually(check: () => boolean | Promise<boolean>): Promise<void> {
  const until = performance.now() + PATIENCE;
  while (!(await check())) {
    if (performance.now() > until) throw new Error(`not within ${PATIENCE} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The ports of a server, if not free ones. */
interface Ports {
  http?: number;
  grpc?: number;
}

export class Server {
  readonly url: string;
  readonly grpcUrl: string;
  readonly #command: string[];
  readonly #isHttp: boolean;
  readonly #environment: Record<string, string>;
  #process: ChildProcess | undefined;
  #said = "";

  private constructor(
    ports: Required<Ports>,
    given: string[],
    environment: Record<string, string>,
  ) {
    const [http, grpc] = [`127.0.0.1:${ports.http}`, `127.0.0.1:${ports.grpc}`];
    const scheme = given.includes("--tls-cert") ? "https" : "http";
    this.url = `${scheme}://${http}`;
    this.grpcUrl = `${scheme}://${grpc}`;
    // HTTP asks for no certificate, so it is not served beside gRPC that does.
    this.#isHttp = !given.includes("--client-ca");
    const where = ["--grpc", grpc, "--http", this.#isHttp ? http : "off"];
    this.#command = ["-m", "msgfold", "serve", ...where, ...given];
    this.#environment = environment;
  }

  /** A server that listens. */
  static async run(
    given: string[],
    environment: Record<string, string> = {},
    ports: Ports = {},
  ): Promise<Server> {
    const http = ports.http ?? (await freePort());
    const grpc = ports.grpc ?? (await freePort());
    const server = new Server({ http, grpc }, given, environment);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const environment = { ...process.env, ...this.#environment };
    const child = spawn(PYTHON, this.#command, {
      env: environment,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#process = child;
    child.stderr?.on("data", (text) => (this.#said += text));
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`the server ended: ${this.#said}`);
      return (!this.#isHttp || (await listens(this.url))) && (await listens(this.grpcUrl));
    });
  }

  /** Still there, and silent, until it goes on. */
  stop(): void {
    this.#process?.kill("SIGSTOP");
  }

  goOn(): void {
    this.#process?.kill("SIGCONT");
  }

  /** SIGKILL, and until it is dead. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Told to stop, and until it has. */
  terminate(): Promise<void> {
    return this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const dead = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await dead;
  }
}

function listens(url: string): Promise<boolean> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(true));
    socket.on("connect", () => socket.destroy()).on("error", () => resolve(false));
  });
}

/** Stands before a server, and cuts connections to it after so many bytes of its answers each. */
export class Cutter {
  /** Bytes that went through, of the server's. */
  passed = 0;
  readonly #limits: number[];
  readonly #tcp: Tcp;
  readonly #sockets = new Set<Socket>();

  private constructor(target: string, limits: number[]) {
    const { port, hostname } = new URL(target);
    this.#limits = limits;
    this.#tcp = createServer((client) => this.#join(client, connect(Number(port), hostname)));
  }

  static async before(target: string, limits: number[] = []): Promise<Cutter> {
    const cutter = new Cutter(target, [...limits]);
    await new Promise<void>((resolve) => cutter.#tcp.listen(0, "127.0.0.1", resolve));
    return cutter;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#tcp.address() as { port: number }).port}`;
  }

  close(): void {
    this.#tcp.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket, server: Socket): void {
    let left = this.#limits.shift() ?? Number.POSITIVE_INFINITY;
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    client.pipe(server);
    server.on("data", (data) => {
      this.passed += data.length;
      const through = data.subarray(0, Math.min(left, data.length));
      left -= through.length;
      // What is behind the cut is lost; what is before it arrives.
      client.write(through);
      if (left === 0) client.end(() => client.destroy());
    });
    server.on("end", () => client.end());
  }
}
