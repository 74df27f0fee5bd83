/**
 * Serves clients on this machine over HTTP: those that greet once and have a session, and those that say with each
 * request who they are.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Problem } from "../std/problem.ts";
import { errnoOf } from "../world/errno.ts";
import { ChangeFeed } from "./change-feed.ts";
import { readBody } from "./http-body.ts";
import { admit, mcpPath } from "./http-gate.ts";
import { HttpRefusal } from "./http-refusal.ts";
import { type Outgoing, Sessions } from "./http-sessions.ts";
import type { Tokens } from "./http-tokens.ts";
import { isRecord } from "./read-message.ts";
import { sendRefusal, sendResponse } from "./send-response.ts";
import { makeServer } from "./server.ts";
import type { ServerMeans } from "./server-means.ts";

export interface HttpWishes {
  /** 0 for any that is free. */
  readonly port: number;
  readonly tokens: Tokens;
}

export async function openHttp(
  means: ServerMeans,
  wishes: HttpWishes,
): Promise<{ readonly server: HttpServer } | { readonly problem: Problem }> {
  const server = new HttpServer(means, wishes.tokens);
  const problem = await server.listen(wishes.port);
  return problem ? { problem } : { server };
}

export class HttpServer {
  readonly #http: Server;
  readonly #feed: ChangeFeed;
  readonly #sessions: Sessions;
  readonly #modern: McpHttpHandler;
  #port = 0;
  #isFed = false;
  #streams = 0;
  #underWay = 0;

  constructor(
    private readonly means: ServerMeans,
    private readonly tokens: Tokens,
  ) {
    this.#feed = new ChangeFeed(means.base.store);
    this.#sessions = new Sessions(() => makeServer(means, { era: "legacy", feed: this.#feed }));
    this.#modern = createMcpHandler(({ era }) => makeServer(means, { era }), {
      legacy: "reject",
      onerror: ({ message }) => means.log.say(message),
    });
    this.#http = createServer(timeouts, (request, out) => void this.#serve(request, out));
    this.#http.on("clientError", refuseUnreadable);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${mcpPath}`;
  }

  /** On this machine only: whoever wants it elsewhere puts something in front that knows who may come. */
  listen(port: number): Promise<Problem | undefined> {
    return new Promise((resolve, reject) => {
      this.#http.once("error", (error) => {
        const errno = errnoOf(error);
        if (errno === "EADDRINUSE" || errno === "EACCES") resolve(portTaken(port, errno));
        else reject(error);
      });
      this.#http.listen(port, "127.0.0.1", () => {
        this.#port = (this.#http.address() as AddressInfo).port;
        resolve(undefined);
      });
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    await this.#modern.close();
    await this.#sessions.close();
    this.#feed.close();
    this.#http.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, out: ServerResponse): Promise<void> {
    this.#underWay += 1;
    try {
      const refused = await this.#answer(request, out);
      if (refused) sendRefusal(out, refused);
    } catch (error) {
      // A sender that went away while it sent is nobody's mistake.
      if (!request.readableAborted) this.means.log.say(`a request failed: ${String(error)}`);
      if (!out.headersSent) sendRefusal(out, internal);
      else out.destroy();
    } finally {
      this.#underWay -= 1;
    }
  }

  async #answer(request: IncomingMessage, out: ServerResponse): Promise<HttpRefusal | undefined> {
    const owner = admit(request, { port: this.#port, tokens: this.tokens });
    if (owner instanceof HttpRefusal) return owner;
    if (this.#underWay - this.#streams > requestsMax) return tooBusy;
    const read = request.method === "POST" ? await readBody(request) : { body: undefined };
    if (read instanceof HttpRefusal) return read;
    const isStream = request.method === "GET" || listens(read.body);
    if (!isStream) return this.#dispatch(request, out, { body: read.body, owner });
    if (this.#streams >= streamsMax) return tooManyStreams;
    this.#streams += 1;
    try {
      return await this.#dispatch(request, out, { body: read.body, owner });
    } finally {
      this.#streams -= 1;
    }
  }

  async #dispatch(
    incoming: IncomingMessage,
    out: ServerResponse,
    { body, owner }: { readonly body: unknown; readonly owner: number },
  ): Promise<HttpRefusal | undefined> {
    const request = webRequest(incoming, out);
    const served = (await isLegacyRequest(request, body))
      ? await this.#sessions.serve({ request, body, owner })
      : await this.#serveModern(request, body);
    if (served instanceof HttpRefusal) return served;
    try {
      const end = await sendResponse(out, served.response);
      if (end === "dropped")
        this.means.log.say("a client that does not read was let go (LIMIT_BACKPRESSURE)");
    } finally {
      served.done();
    }
    return undefined;
  }

  async #serveModern(request: Request, body: unknown): Promise<Outgoing> {
    if (listens(body) && !this.#isFed) {
      this.#isFed = true;
      const { notify } = this.#modern;
      this.#feed.listen({
        updated: (uri) => notify.resourceUpdated(uri),
        listChanged: () => notify.resourcesChanged(),
      });
    }
    return { response: await this.#modern.fetch(request, { parsedBody: body }), done: () => {} };
  }
}

/** Slow senders hold a place that others need. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
const streamsMax = 32;
const requestsMax = 256;

function listens(body: unknown): boolean {
  return isRecord(body) && body.method === "subscriptions/listen";
}

/** Without a body: that was read and judged before. */
function webRequest(incoming: IncomingMessage, out: ServerResponse): Request {
  const gone = new AbortController();
  out.once("close", () => {
    if (!out.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  const { method = "GET", url = "/", headers: given } = incoming;
  return new Request(`http://${given.host}${url}`, { method, headers, signal: gone.signal });
}

/** What cannot even be read as HTTP, most often for the length of its headers. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, body } = error.code === "HPE_HEADER_OVERFLOW" ? headersTooLong : unreadable;
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
}

const headersTooLong = new HttpRefusal(431, {
  code: "LIMIT_HEADERS",
  message: "the headers are longer than 16 KiB",
  hint: "Send shorter ones; a session's id has 32 characters.",
});

const unreadable = new HttpRefusal(400, {
  code: "HTTP_SYNTAX",
  message: "the request cannot be read as HTTP/1.1",
  hint: "Use a client that speaks HTTP.",
});

const tooManyStreams = new HttpRefusal(503, {
  code: "LIMIT_STREAMS",
  message: `${streamsMax} streams are open, which is the limit`,
  hint: "Close one that nobody listens to.",
});

const tooBusy = new HttpRefusal(503, {
  code: "LIMIT_REQUESTS",
  message: `${requestsMax} requests are under way, which is the limit`,
  hint: "Wait for some of them to be answered.",
});

const internal = new HttpRefusal(500, {
  code: "BUG",
  message: "the request failed by a mistake in cox",
  hint: "Please report it with what stands on the server's stderr.",
});

function portTaken(port: number, errno: string): Problem {
  return {
    code: "PORT_TAKEN",
    message: `cannot listen on 127.0.0.1:${port} (${errno})`,
    hint: "Choose another with --port N, or leave it out for one that is free.",
  };
}
