/**
 * Serves clients on this machine over HTTP: those that introduce themselves once and have a session, and those that say
 * who they are with each request.
 */
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from "@modelcontextprotocol/server";
import { assert } from "../../std/assert.ts";
import type { Problem } from "../../std/problem.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type {
  Guard,
  HttpAnswer,
  HttpRequest,
  LoopbackServers,
  ServerHandle,
} from "../../world/network/loopback-server.ts";
import { ChangeFeed } from "../resources/change-feed.ts";
import { makeServer } from "../server.ts";
import type { ServerOptions } from "../server-options.ts";
import { newSession } from "../session.ts";
import { isJsonObject } from "../stdio/read-message.ts";
import { bodyBytesMax, bodyTooLong, readBody } from "./http-body.ts";
import { HttpGate, mcpUrlPath } from "./http-gate.ts";
import { HttpRefusal } from "./http-refusal.ts";
import { type OutgoingResponse, Sessions } from "./http-sessions.ts";
import type { Tokens } from "./http-tokens.ts";
import { sendResponse } from "./send-response.ts";

export interface HttpServerOptions {
  readonly servers: LoopbackServers;
  /** 0 for any free port. */
  readonly port: number;
  readonly tokens: Tokens;
}

/** Listens on this machine only. To serve others, put a proxy in front that checks who may come in. */
export async function openHttp(
  ports: ServerOptions,
  { servers, port, tokens }: HttpServerOptions,
): Promise<{ readonly server: HttpServer } | { readonly problem: Problem }> {
  const server = new HttpServer(ports, tokens);
  try {
    await server.listen(servers, port);
    return { server };
  } catch (error) {
    const errno = errnoOf(error);
    if (errno !== "EADDRINUSE" && errno !== "EACCES") throw error;
    return { problem: portTaken(port, errno) };
  }
}

export class HttpServer {
  readonly #gate: HttpGate;
  readonly #feed: ChangeFeed;
  readonly #sessions: Sessions;
  readonly #modern: McpHttpHandler;
  #listening: ServerHandle | undefined;
  #isFed = false;
  #streams = 0;
  #underWay = 0;

  constructor(
    private readonly ports: ServerOptions,
    tokens: Tokens,
  ) {
    this.#gate = new HttpGate(tokens, () => this.port);
    this.#feed = new ChangeFeed({ store: ports.base.store, runs: ports.runs });
    this.#sessions = new Sessions(() =>
      makeServer(ports, { era: "legacy", feed: this.#feed, session: newSession() }),
    );
    this.#modern = createMcpHandler(({ era }) => makeServer(ports, { era }), {
      legacy: "reject",
      onerror: ({ message }) => ports.log.say(message),
    });
  }

  get port(): number {
    return this.#listening?.port ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}${mcpUrlPath}`;
  }

  async listen(servers: LoopbackServers, port: number): Promise<void> {
    const guard: Guard = { admit: (head) => this.#gate.admit(head), bodyBytesMax, bodyTooLong, ...unfit };
    this.#listening = await servers.listen(port, (request, answer) => this.#serve(request, answer), guard);
  }

  async close(): Promise<void> {
    await this.#modern.close();
    await this.#sessions.close();
    this.#feed.close();
    await this.#listening?.close();
  }

  async #serve(request: HttpRequest, answer: HttpAnswer): Promise<void> {
    this.#underWay += 1;
    try {
      const refused = await this.#answer(request, answer);
      if (!refused) return;
      answer.begin(refused.status, refused.headers);
      answer.end(refused.body);
    } catch (error) {
      this.#failed(error);
      answer.abandon();
    } finally {
      this.#underWay -= 1;
    }
  }

  async #answer(request: HttpRequest, answer: HttpAnswer): Promise<HttpRefusal | undefined> {
    if (this.#underWay - this.#streams > requestsMax) return tooBusy;
    const read = request.method === "POST" ? readBody(request.body) : { messages: undefined };
    if (read instanceof HttpRefusal) return read;
    const isStream = request.method === "GET" || listens(read.messages);
    if (!isStream) return this.#dispatch(request, answer, read.messages);
    if (this.#streams >= streamsMax) return tooManyStreams;
    this.#streams += 1;
    try {
      return await this.#dispatch(request, answer, read.messages);
    } finally {
      this.#streams -= 1;
    }
  }

  async #dispatch(asked: HttpRequest, answer: HttpAnswer, body: unknown): Promise<HttpRefusal | undefined> {
    const request = this.#webRequest(asked, answer);
    const owner = this.#gate.ownerOf(asked);
    assert(owner !== undefined, "nobody is served without a token");
    const isOld = await isLegacyRequest(request, body);
    const serving = isOld ? this.#sessions.serve({ request, body, owner }) : this.#serveModern(request, body);
    const served = await serving.catch((error) => this.#failed(error));
    if (served instanceof HttpRefusal) return served;
    try {
      const end = await sendResponse(answer, served.response);
      if (end === "dropped")
        this.ports.log.say("a client that does not read was let go (LIMIT_BACKPRESSURE)");
    } finally {
      served.done();
    }
    return undefined;
  }

  #failed(error: unknown): HttpRefusal {
    this.ports.log.say(`a request failed: ${String(error)}`);
    return ourMistake;
  }

  async #serveModern(request: Request, body: unknown): Promise<OutgoingResponse> {
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

  /** Without a body, which was already read and judged. */
  #webRequest({ method, headers }: HttpRequest, { gone }: HttpAnswer): Request {
    return new Request(this.url, { method, headers, signal: gone });
  }
}

const streamsMax = 32;
const requestsMax = 256;

function listens(body: unknown): boolean {
  return isJsonObject(body) && body.method === "subscriptions/listen";
}

const unfit = {
  headersTooLong: new HttpRefusal(431, {
    code: "LIMIT_HEADERS",
    message: "the headers are longer than 16 KiB",
    hint: "Send shorter ones; a session's id has 32 characters.",
  }),
  unreadable: new HttpRefusal(400, {
    code: "HTTP_SYNTAX",
    message: "the request cannot be read as HTTP/1.1",
    hint: "Use a client that speaks HTTP.",
  }),
};

const tooManyStreams = new HttpRefusal(503, {
  code: "LIMIT_STREAMS",
  message: `${streamsMax} streams are open, which is the limit`,
  hint: "Close an unused one.",
});

const tooBusy = new HttpRefusal(503, {
  code: "LIMIT_REQUESTS",
  message: `${requestsMax} requests are under way, which is the limit`,
  hint: "Wait for some of them to be answered.",
});

const ourMistake = new HttpRefusal(500, {
  code: "BUG",
  message: "the request failed because of a bug in cox",
  hint: "Please report it with the server's stderr output.",
});

function portTaken(port: number, errno: string): Problem {
  return {
    code: "PORT_TAKEN",
    message: `cannot listen on 127.0.0.1:${port} (${errno})`,
    hint: "Choose another with --port N, or leave it out to use any free one.",
  };
}
