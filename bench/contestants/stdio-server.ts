/** An MCP server as a child process, called over stdio as the protocol's own client would, but without a client's cost. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { assert } from "../../src/std/assert.ts";

export interface ServerProgram {
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly id?: number;
  readonly error?: unknown;
  readonly result?: ToolResult;
}

interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content?: readonly { readonly text?: string }[];
}

export class StdioServer {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(private readonly child: ChildProcessWithoutNullStreams) {
    child.stderr.resume();
    createInterface({ input: child.stdout }).on("line", (line) => {
      // Some other servers also print text here.
      if (!line.startsWith("{")) return;
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async start({ args, folder, environment = {} }: ServerProgram): Promise<StdioServer> {
    const env = { ...process.env, ...environment };
    const server = new StdioServer(spawn(process.execPath, [...args], { cwd: folder, env }));
    await server.#ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    server.#send({ method: "notifications/initialized" });
    return server;
  }

  /** Throws if the tool failed. */
  async call(name: string, given: object): Promise<ToolResult> {
    const { error, result } = await this.#ask("tools/call", { name, arguments: given });
    const why = JSON.stringify(error ?? result?.content ?? "").slice(0, 500);
    assert(result && !error && !result.isError, `${name} did what it was asked: ${why}`);
    return result;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill();
    await ended;
  }

  #ask(method: string, params: unknown): Promise<Answer> {
    const id = ++this.#lastId;
    this.#send({ id, method, params });
    return new Promise((resolve) => {
      this.#waiting.set(id, (answer) => {
        this.#waiting.delete(id);
        resolve(answer);
      });
    });
  }

  #send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
}
