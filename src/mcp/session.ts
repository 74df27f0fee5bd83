/** What one connection remembers about its client, however many servers answer it. */
import { SeenDocuments } from "../document/seen-documents.ts";
import { SessionMemory } from "../task/session/session-memory.ts";

export interface Session {
  readonly memory: SessionMemory;
  readonly seen: SeenDocuments;
}

export function newSession(): Session {
  return { memory: new SessionMemory(), seen: new SeenDocuments() };
}
