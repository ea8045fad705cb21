/** `msgfold serve` as a process that can be killed. */

import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PYTHON = process.env.MSGFOLD_PYTHON ?? `${ROOT}.venv/bin/python`;

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

export class Server {
  readonly url: string;
  readonly #command: string[];
  readonly #environment: Record<string, string>;
  #process: ChildProcess | undefined;
  #said = "";

  private constructor(port: number, given: string[], environment: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#command = [
      ...["-m", "msgfold", "serve", "--grpc", "off", "--http", `127.0.0.1:${port}`],
      ...given,
    ];
    this.#environment = environment;
  }

  /** A server that listens. */
  static async run(
    given: string[],
    environment: Record<string, string> = {},
    port?: number,
  ): Promise<Server> {
    const server = new Server(port ?? (await freePort()), given, environment);
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
      return fetch(`${this.url}/healthz`).then(
        (response) => response.ok,
        () => false,
      );
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
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const dead = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await dead;
  }
}
