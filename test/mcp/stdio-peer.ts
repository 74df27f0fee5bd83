/** The other end of a server on stdio, in the same process: lines in, messages out. */
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import type { ServerOptions } from "../../src/mcp/server-options.ts";
import { LineReader } from "../../src/mcp/stdio/line-reader.ts";
import { serveStdio } from "../../src/mcp/stdio/serve-stdio.ts";

export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly code?: string; readonly hint?: string };
  };
}

export class StdioPeer {
  readonly heard: Message[] = [];
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly served: Promise<void>;
  readonly #stop = new AbortController();
  #told: () => void = () => {};
  onmessage: ((message: Message) => void) | undefined;

  constructor(ports: ServerOptions) {
    const lines = new LineReader(1 << 26, {
      line: (text) => {
        const message = JSON.parse(text) as Message;
        this.heard.push(message);
        this.onmessage?.(message);
        this.#told();
      },
      tooLong: () => {},
    });
    this.output.on("data", (bytes) => lines.push(bytes));
    const { input, output } = this;
    this.served = serveStdio(ports, { input, output, signal: this.#stop.signal });
    onTestFinished(() => {
      this.#stop.abort();
      return this.served;
    });
  }

  send(...messages: readonly object[]): void {
    for (const message of messages) this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  write(text: string | Uint8Array): void {
    this.input.write(text);
  }

  /** The first message that fits, now or later. */
  async hear(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.heard.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#told = resolve;
      });
    }
  }

  answerTo(id: number): Promise<Message> {
    return this.hear((message) => message.id === id && message.method === undefined);
  }

  async greet(capabilities: object = {}): Promise<Message> {
    const clientInfo = { name: "peer", version: "7" };
    this.send({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities, clientInfo },
    });
    const answer = await this.answerTo(1);
    this.send({ method: "notifications/initialized" });
    return answer;
  }

  stop(): void {
    this.#stop.abort();
  }
}
