/**
 * The MCP filesystem server, the way most agents write files today: one `write_file` call a file, over stdio, as
 * the protocol's own client would send them. It syncs nothing.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { assert } from "../../src/std/assert.ts";
import type { FileSet } from "../file-set.ts";
import { atOnce } from "./at-once.ts";

interface Answer {
  readonly id?: number;
  readonly error?: unknown;
  readonly result?: { readonly isError?: boolean };
}

export class ToolServer {
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly root: string,
  ) {
    child.stderr.resume();
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      if (answer.id !== undefined) this.#waiting.get(answer.id)?.(answer);
    });
  }

  static async start(root: string): Promise<ToolServer> {
    const manifest = createRequire(import.meta.url).resolve(
      "@modelcontextprotocol/server-filesystem/package.json",
    );
    const child = spawn(process.execPath, [join(dirname(manifest), "dist", "index.js"), root]);
    const server = new ToolServer(child, root);
    await server.#ask("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    server.#send({ method: "notifications/initialized" });
    return server;
  }

  /** `pipelined`: how many calls are sent before the first is answered. */
  async write({ files }: FileSet, pipelined: number): Promise<void> {
    await atOnce(pipelined, files, async ({ path, bytes }) => {
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
      const answer = await this.#ask("tools/call", {
        name: "write_file",
        arguments: { path: join(this.root, path), content },
      });
      assert(!answer.error && !answer.result?.isError, `the server wrote ${path}`);
    });
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
