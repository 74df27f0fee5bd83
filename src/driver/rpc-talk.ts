/**
 * One end of a JSON-RPC conversation: our requests and their answers, the other side's requests, and its notifications.
 * Each request has a timeout, since some are never answered.
 */
import { oneLine } from "../std/printable.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { RunClock } from "../world/time/run-clock.ts";
import type { ClientEvent } from "./programs/agent-client.ts";
import { recordField, textField } from "./programs/event-fields.ts";

export interface RpcEnds {
  write(bytes: Uint8Array): void;
  onNotification(method: string, params: ClientEvent): void;
  /** Returns the answer to a request; `undefined` when we do not know the method. */
  onAsked(method: string, params: ClientEvent): object | undefined;
  readonly after: RunClock["after"];
  readonly answerMs: number;
}

export class RpcTalk {
  readonly #ends: RpcEnds;
  readonly #open = new Map<number, Open>();
  readonly #awaited = new Set<Awaited>();
  #asked = 0;
  #isClosed = false;

  constructor(ends: RpcEnds) {
    this.#ends = ends;
  }

  /** Rejects with an `RpcFailure`. */
  ask(method: string, params: object): Promise<ClientEvent> {
    if (this.#isClosed) return Promise.reject(closed(method));
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      const { after, answerMs } = this.#ends;
      const takeBack = after(answerMs, () => {
        this.#open.delete(id);
        reject(new RpcFailure("late", `it did not answer ${method} within ${answerMs / 1000} s`));
      });
      this.#open.set(id, { method, resolve, reject, takeBack });
      this.#send({ id, method, params });
    });
  }

  /**
   * Resolves when the other side sends this notification, however long it takes. Rejects with an `RpcFailure` when
   * nothing more will come.
   */
  notification(method: string, isMeant: (params: ClientEvent) => boolean): Promise<ClientEvent> {
    const received = new Promise<ClientEvent>((resolve, reject) => {
      if (this.#isClosed) reject(closed(method));
      else this.#awaited.add({ method, isMeant, resolve, reject });
    });
    // The caller may have failed already and never await this.
    received.catch(() => {});
    return received;
  }

  tell(method: string, params?: object): void {
    this.#send({ method, ...(params && { params }) });
  }

  receive({ id, method, params, result, error }: ClientEvent): void {
    if (typeof method !== "string") this.#settle(id, result, error);
    else if (id === undefined) this.#hear(method, recordField(params));
    else this.#answer(id, method, recordField(params));
  }

  /** Call this when nothing more will come. */
  close(): void {
    this.#isClosed = true;
    for (const { method, reject, takeBack } of this.#open.values()) {
      takeBack();
      reject(closed(method));
    }
    for (const { method, reject } of this.#awaited) reject(closed(method));
    this.#open.clear();
    this.#awaited.clear();
  }

  #hear(method: string, params: ClientEvent): void {
    this.#ends.onNotification(method, params);
    for (const awaited of this.#awaited) {
      if (awaited.method !== method || !awaited.isMeant(params)) continue;
      this.#awaited.delete(awaited);
      awaited.resolve(params);
    }
  }

  /** Answers that nobody waits for are ignored. */
  #settle(id: unknown, result: unknown, error: unknown): void {
    const open = typeof id === "number" ? this.#open.get(id) : undefined;
    if (typeof id !== "number" || open === undefined) return;
    this.#open.delete(id);
    open.takeBack();
    const message = textField(recordField(error).message) ?? "it gave no reason";
    if (error === undefined || error === null) open.resolve(recordField(result));
    else open.reject(new RpcFailure("refused", message));
  }

  #answer(id: unknown, method: string, params: ClientEvent): void {
    const result = this.#ends.onAsked(method, params);
    if (result !== undefined) this.#send({ id, result });
    else this.#send({ id, error: { code: unknownMethod, message: `no method ${oneLine(method, 100)}` } });
  }

  #send(message: object): void {
    this.#ends.write(encodeUtf8(`${JSON.stringify(message)}\n`));
  }
}

export class RpcFailure extends Error {
  constructor(
    /** It refused, did not answer in time, or is gone. */
    readonly why: "refused" | "late" | "closed",
    message: string,
  ) {
    super(message);
  }
}

interface Awaited {
  readonly method: string;
  isMeant(params: ClientEvent): boolean;
  resolve(params: ClientEvent): void;
  reject(failure: RpcFailure): void;
}

interface Open {
  readonly method: string;
  resolve(answer: ClientEvent): void;
  reject(failure: RpcFailure): void;
  takeBack(): void;
}

function closed(method: string): RpcFailure {
  return new RpcFailure("closed", `it ended before it came to ${method}`);
}

const unknownMethod = -32_601;
