/**
 * One message per line, on stdin and stdout. Nothing else is ever written there.
 *
 * We do not use the library's transport, because it ends the session at a long line, ignores a line that is not JSON,
 * and leaves requests in progress unanswered when the input ends.
 */
import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { explained, invalidRequest, refusal } from "../refusal.ts";
import { LineReader } from "./line-reader.ts";
import { idInUse, isJsonObject, readMessage } from "./read-message.ts";

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when either side has closed it. */
  readonly closed: Promise<void>;

  readonly #lines = new LineReader(lineMax, {
    line: (text) => this.#take(text),
    tooLong: () => this.#refuse(refusal(lineTooLong, { number: invalidRequest })),
  });
  /** Requests not answered yet, by id. */
  readonly #underWay = new Map<RequestId, string>();
  /** How the client introduced itself: by a handshake, or with each request. */
  #greeting: "none" | "handshake" | "each" = "none";
  #isClosed = false;
  #hasEnded = false;
  #patience: NodeJS.Timeout | undefined;
  #markClosed: () => void = () => {};

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  async start(): Promise<void> {
    this.input.on("data", this.#onData);
    this.input.on("end", this.#onEnd);
    this.input.on("close", this.#onEnd);
    this.input.on("error", this.#onBroken);
    this.output.on("error", this.#onBroken);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    const sent = "error" in message ? { ...message, error: explained(message.error) } : message;
    await this.#write(sent);
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#patience);
    this.input.off("data", this.#onData);
    this.input.off("end", this.#onEnd);
    this.input.off("close", this.#onEnd);
    // Keep listening for errors: a late one must not end the process.
    this.input.pause();
    this.#underWay.clear();
    this.onclose?.();
    this.#markClosed();
  }

  readonly #onData = (bytes: Uint8Array) => this.#lines.push(bytes);

  readonly #onBroken = (error: Error) => {
    if (!this.#isClosed) this.onerror?.(error);
    void this.close();
  };

  /** Requests made before the input ended are still answered, unless that takes too long. */
  readonly #onEnd = () => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#lines.end();
    this.#patience = setTimeout(() => void this.close(), patienceMs);
    this.#endIfIdle();
  };

  #endIfIdle(): void {
    if (!this.#hasEnded) return;
    const isIdle = [...this.#underWay.values()].every((method) => method === "subscriptions/listen");
    if (isIdle) void this.close();
  }

  #take(text: string): void {
    const read = readMessage(text);
    if ("refusal" in read) {
      this.#refuse(read.refusal);
      return;
    }
    const { message } = read;
    if (!("method" in message)) {
      this.onmessage?.(message);
      return;
    }
    const introduced = introducesItself(message);
    if (message.method === "initialize" && !introduced) this.#greeting = "handshake";
    else if (introduced && this.#greeting === "none") this.#greeting = "each";
    if ("id" in message) this.#takeRequest(message);
    else this.#takeNotification(message);
  }

  #takeRequest(message: JSONRPCRequest): void {
    const { id, method } = message;
    if (this.#greeting === "none" && method !== "ping") {
      this.#refuse(refusal(tooEarly(method), { number: invalidRequest, id }));
      return;
    }
    if (this.#underWay.has(id)) {
      // Leave out the id: the client would take this for the answer to the first request.
      this.#refuse(refusal(idInUse(id), { number: invalidRequest }));
      return;
    }
    this.#underWay.set(id, method);
    this.onmessage?.(message);
  }

  #takeNotification(message: JSONRPCNotification): void {
    // Nothing we ask of a client reports progress; a flood of it would only be work.
    if (this.#greeting === "none" || message.method === "notifications/progress") return;
    this.onmessage?.(message);
    const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
    // A cancelled request is not answered.
    if (message.method === "notifications/cancelled" && requestId !== undefined) this.#settle(requestId);
  }

  #settle(id: RequestId): void {
    this.#underWay.delete(id);
    this.#endIfIdle();
  }

  #refuse(answer: JSONRPCErrorResponse): void {
    if (this.#isClosed) return;
    this.#write(answer).catch(() => {});
  }

  /** Resolves when there is room for more. */
  #write(message: JSONRPCMessage): Promise<void> {
    const hasRoom = this.output.write(`${JSON.stringify(message)}\n`);
    if (hasRoom) return Promise.resolve();
    return Promise.race([new Promise<void>((resolve) => this.output.once("drain", resolve)), this.closed]);
  }
}

const lineMax = 10 * 1024 * 1024;
const patienceMs = 3_000;

const lineTooLong: Problem = {
  code: "LIMIT_LINE",
  message: `a line is longer than ${size(lineMax)}; it was left out`,
  hint: "Send less at once: use several calls, or name a file instead of sending its content.",
};

function tooEarly(method: string): Problem {
  return {
    code: "MCP_STATE",
    message: `${quote(method, 60)} was refused: the client has not sent initialize`,
    hint: "Send initialize first, or, since 2026-07-28, the protocol version with each request.",
  };
}

function introducesItself(message: JSONRPCMessage): boolean {
  const params: unknown = "params" in message ? message.params : undefined;
  const meta = isJsonObject(params) ? params._meta : undefined;
  return isJsonObject(meta) && PROTOCOL_VERSION_META_KEY in meta;
}
