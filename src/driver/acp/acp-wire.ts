/**
 * Sorts the messages of a conversation over a program's stdio: session updates are handled here, in the order in which
 * they arrive; requests and answers go to the connection.
 *
 * The connection itself would deliver an update after the answer that followed it, drop what its schema does not know,
 * and complain about both on our own stderr.
 */
import { encodeUtf8 } from "../../std/utf8.ts";
import type { ClientEvent } from "../programs/agent-client.ts";
import { recordField } from "../programs/event-fields.ts";

export interface WireEnds {
  write(bytes: Uint8Array): void;
  onUpdate(session: unknown, update: ClientEvent): void;
}

export class AcpWire<Message extends object> {
  readonly readable: ReadableStream<Message>;
  readonly writable: WritableStream<Message>;
  readonly #ends: WireEnds;
  /** Our requests that are not answered yet. */
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

  /** Call this when nothing more will come. */
  close(): void {
    this.#controller?.close();
    this.#controller = undefined;
  }

  #isExpected({ jsonrpc, method, id }: ClientEvent): boolean {
    if (jsonrpc !== "2.0" || id === undefined) return false;
    return method === undefined ? this.#asked.delete(id) : typeof method === "string";
  }
}
