/**
 * The messages of a conversation over a program's stdio, sorted as they come: what the agent tells of its session is heard
 * here, in the order of the wire; requests and answers go to the connection.
 *
 * The connection would hand on what an agent tells after the answer that came behind it, drop what its schema does not
 * know, and complain of both on our own stderr.
 */
import { encodeUtf8 } from "../std/utf8.ts";
import type { ClientEvent } from "./agent-client.ts";
import { recordField } from "./event-fields.ts";

export interface WireEnds {
  write(bytes: Uint8Array): void;
  onUpdate(session: unknown, update: ClientEvent): void;
}

export class AcpWire<Message extends object> {
  readonly readable: ReadableStream<Message>;
  readonly writable: WritableStream<Message>;
  readonly #ends: WireEnds;
  /** Requests of ours that are not answered. */
  readonly #asked = new Set<unknown>();
  #controller: ReadableStreamDefaultController<Message> | undefined;

  constructor(ends: WireEnds) {
    this.#ends = ends;
    this.readable = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.#controller = undefined;
      },
    });
    this.writable = new WritableStream({
      write: (message) => {
        const { id, method } = message as ClientEvent;
        if (method !== undefined && id !== undefined) this.#asked.add(id);
        this.#ends.write(encodeUtf8(`${JSON.stringify(message)}\n`));
      },
    });
  }

  receive(event: ClientEvent): void {
    if (event.method === "session/update" && event.id === undefined) {
      const { sessionId, update } = recordField(event.params);
      this.#ends.onUpdate(sessionId, recordField(update));
    } else if (this.#isExpected(event)) this.#controller?.enqueue(event as Message);
  }

  /** Nothing will come any more. */
  close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  #isExpected({ jsonrpc, method, id }: ClientEvent): boolean {
    if (jsonrpc !== "2.0" || id === undefined) return false;
    return method === undefined ? this.#asked.delete(id) : typeof method === "string";
  }
}
