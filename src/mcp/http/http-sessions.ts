/**
 * Sessions for clients from before 2026-07-28, which introduce themselves once and are then known by a session id. An
 * id is 128 random bits, and is useless without the token that the session was started with.
 */
import { randomBytes } from "node:crypto";
import {
  type RequestId,
  type Server,
  WebStandardStreamableHTTPServerTransport as SessionTransport,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { oneLine, quote } from "../../std/printable.ts";
import { explained } from "../refusal.ts";
import { idInUse, isJsonObject } from "../stdio/read-message.ts";
import { HttpRefusal } from "./http-refusal.ts";

interface Session {
  readonly id: string;
  readonly owner: number;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** Ids of requests not answered yet. */
  readonly ids: Set<RequestId>;
  /** Requests in progress, including those that only listen. */
  busy: number;
}

export interface IncomingRequest {
  readonly request: Request;
  /** The messages of a POST. */
  readonly body: unknown;
  readonly owner: number;
}

/** A response, and what to call once it was sent, completely or not. */
export interface OutgoingResponse {
  readonly response: Response;
  done(): void;
}

export class Sessions {
  /** Most recently used last. */
  readonly #open = new Map<string, Session>();

  constructor(private readonly makeServer: () => Server) {}

  async serve(incoming: IncomingRequest): Promise<OutgoingResponse | HttpRefusal> {
    const { request, body, owner } = incoming;
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? await this.#begin(body, owner) : this.#find(id, owner);
    if (session instanceof HttpRefusal) return session;
    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return wrongVersion(version);
    const ids = idsOf(body);
    const taken = ids.find((one, at) => session.ids.has(one) || ids.indexOf(one) !== at);
    if (taken !== undefined) return new HttpRefusal(400, idInUse(taken));
    for (const one of ids) session.ids.add(one);
    session.busy += 1;
    const done = () => {
      for (const one of ids) session.ids.delete(one);
      session.busy -= 1;
    };
    try {
      return { response: await session.transport.handleRequest(request, { parsedBody: body }), done };
    } catch (error) {
      done();
      throw error;
    } finally {
      // A session whose start was refused is in no list and would never be closed.
      if (id === null && !this.#open.has(session.id)) void session.server.close();
    }
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map(({ server }) => server.close()));
  }

  #find(id: string, owner: number): Session | HttpRefusal {
    const session = this.#open.get(id);
    if (session?.owner !== owner) return unknownSession(id);
    this.#open.delete(id);
    this.#open.set(id, session);
    return session;
  }

  async #begin(body: unknown, owner: number): Promise<Session | HttpRefusal> {
    if (!isJsonObject(body) || body.method !== "initialize") return noSession(body);
    if (!this.#makeRoom()) return tooMany;
    const server = this.makeServer();
    const id = randomBytes(16).toString("hex");
    const transport = new SessionTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void this.#open.set(id, session),
    });
    const session: Session = { id, owner, server, transport, ids: new Set(), busy: 0 };
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send("error" in message ? { ...message, error: explained(message.error) } : message, options);
    await server.connect(transport);
    const closed = transport.onclose;
    transport.onclose = () => {
      this.#open.delete(id);
      closed?.();
    };
    return session;
  }

  /** A client that disappears leaves its session behind; the least recently used idle one is closed. */
  #makeRoom(): boolean {
    if (this.#open.size < sessionsMax) return true;
    for (const { busy, server } of this.#open.values()) {
      if (busy > 0) continue;
      void server.close();
      return true;
    }
    return false;
  }
}

const sessionsMax = 64;

function idsOf(body: unknown): readonly RequestId[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((one) =>
    isJsonObject(one) && "method" in one && "id" in one ? [one.id as RequestId] : [],
  );
}

function unknownSession(id: string): HttpRefusal {
  return new HttpRefusal(404, {
    code: "MCP_SESSION",
    message: `there is no session ${quote(id, 60)} of yours`,
    hint: "Begin a new one: send initialize without Mcp-Session-Id.",
  });
}

function noSession(body: unknown): HttpRefusal {
  const method = isJsonObject(body) && typeof body.method === "string" ? body.method : "the request";
  return new HttpRefusal(400, {
    code: "MCP_STATE",
    message: `${oneLine(method, 60)} was refused: the client has not sent initialize`,
    hint: "Send initialize first and its Mcp-Session-Id from then on, or, since 2026-07-28, the protocol version with each request.",
  });
}

function wrongVersion(version: string): HttpRefusal {
  return new HttpRefusal(400, {
    code: "MCP_STATE",
    message: `the protocol version ${quote(version, 40)} is not supported`,
    hint: `Send the version that initialize returned; supported are ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")}.`,
  });
}

const tooMany = new HttpRefusal(503, {
  code: "LIMIT_SESSIONS",
  message: `${sessionsMax} clients are connected, which is the limit`,
  hint: "End one of them, or try again later.",
});
