/**
 * The model server: takes a request in any of the formats, finds the step that answers it, records both, and performs
 * the step. It listens on this machine only and never asks for a key.
 */
import type { Json } from "../std/canonical-json.ts";
import { oneLine } from "../std/printable.ts";
import type { Chance } from "../world/chance.ts";
import type {
  HttpAnswer,
  HttpRequest,
  LoopbackServers,
  ServerHandle,
} from "../world/network/loopback-server.ts";
import type { Clock } from "../world/time/clock.ts";
import { anthropic } from "./anthropic.ts";
import { geminiFormat } from "./gemini.ts";
import type { ModelRequest } from "./model-request.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { perform, sendJson } from "./perform.ts";
import { Player } from "./player.ts";
import type { ModelScript } from "./script.ts";
import type { Route, WireFormat } from "./wire-format.ts";

export interface ModelServerWorld {
  readonly servers: LoopbackServers;
  readonly clock: Clock;
  readonly chance: Chance;
}

export interface ModelServerOptions {
  readonly script: ModelScript;
  /** 0 for any free port. */
  readonly port?: number;
  /** Called for each request, just before it is answered. */
  onRequest?(seen: ServedRequest): void;
}

/** A request, and what was done about it. */
export interface ServedRequest extends ModelRequest {
  /** Wall time, in milliseconds since 1970. */
  readonly at: number;
  /** The conversation that answered; missing if none could. */
  readonly conversation?: string;
  readonly turn?: number;
  /** A request that the client makes for itself. */
  readonly isAside?: true;
}

const formats: readonly WireFormat[] = [anthropic, openaiResponses, openaiChat, geminiFormat];

/** Enough for any test; a server that runs for a week must not keep growing. */
const seenMax = 1_000;

export class ModelServer {
  readonly #player: Player;
  readonly #seen: ServedRequest[] = [];
  #listening: ServerHandle | undefined;

  private constructor(
    readonly world: ModelServerWorld,
    readonly options: ModelServerOptions,
  ) {
    this.#player = new Player(options.script);
  }

  /** Rejects with EADDRINUSE or EACCES if the port is not available. */
  static async start(world: ModelServerWorld, options: ModelServerOptions): Promise<ModelServer> {
    const server = new ModelServer(world, options);
    server.#listening = await world.servers.listen(options.port ?? 0, (request, answer) =>
      server.#serve(request, answer),
    );
    return server;
  }

  /** Without a path: Anthropic and Gemini clients add theirs, OpenAI's need `/v1` after it. */
  get url(): string {
    return `http://127.0.0.1:${this.#listening?.port}`;
  }

  /** The latest requests, oldest first. */
  get seen(): readonly ServedRequest[] {
    return this.#seen;
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  async #serve(request: HttpRequest, answer: HttpAnswer): Promise<void> {
    const { method, path } = request;
    const own = method === "GET" || method === "HEAD" ? this.#page(path) : undefined;
    if (own !== undefined) return sendJson(answer, 200, { body: own });
    for (const format of formats) {
      const route = method === "POST" ? format.route(path) : undefined;
      if (route !== undefined) return this.#hear({ format, route, request, answer });
    }
    const message = `there is nothing at ${oneLine(`${method} ${path}`)}; POST to ${places}`;
    sendJson(answer, 404, { body: { error: { message, type: "not_found_error" } } });
  }

  #page(path: string): Json | undefined {
    const { models = ["scripted"] } = this.options.script;
    if (path === "/") return { ok: true, requests: this.#seen.length };
    if (path === "/requests") return JSON.parse(JSON.stringify(this.#seen)) as Json;
    if (path === "/v1/models" || path === "/models") return listOfModels(models);
    return path === "/v1beta/models" ? listOfGeminiModels(models) : undefined;
  }

  async #hear({ format, route, request, answer }: ModelCall): Promise<void> {
    const body = parsed(request.body);
    const refuse = (message: string) => {
      const { body, headers } = format.failure({ status: 400, message });
      sendJson(answer, 400, { body, headers });
    };
    if (body === undefined) return refuse("the body is not JSON");
    const asked = format.read(body, route);
    if (route.operation === "count") {
      return sendJson(answer, 200, { body: format.tokens(estimatedTokens(request.body)) });
    }
    const at = this.world.clock.now();
    const choice = this.#player.choose(asked);
    if ("unscripted" in choice) {
      this.#note({ ...asked, at });
      return refuse(choice.unscripted);
    }
    const { conversation, turn, step } = choice;
    this.#note({ ...asked, at, conversation, turn, ...(step ? {} : { isAside: true }) });
    const stamp = { id: this.world.chance.id(16), at };
    await perform(step, { format, request: asked, body, stamp, answer });
  }

  #note(seen: ServedRequest): void {
    this.#seen.push(seen);
    if (this.#seen.length > seenMax) this.#seen.shift();
    this.options.onRequest?.(seen);
  }
}

interface ModelCall {
  readonly format: WireFormat;
  readonly route: Route;
  readonly request: HttpRequest;
  readonly answer: HttpAnswer;
}

const places = "/v1/messages, /v1/responses, /v1/chat/completions or /v1beta/models/NAME:generateContent";

function parsed(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}

/** About four bytes per token; no client relies on it being exact. */
function estimatedTokens(body: Uint8Array): number {
  return Math.ceil(body.length / 4);
}

/** With the fields of both vendors that have this list. */
function listOfModels(models: readonly string[]): Json {
  const data = models.map((id) => ({
    id,
    object: "model",
    type: "model",
    display_name: id,
    created: 0,
    created_at: "1970-01-01T00:00:00Z",
    owned_by: "script",
  }));
  const ends = { first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
  return { object: "list", data, has_more: false, ...ends };
}

function listOfGeminiModels(models: readonly string[]): Json {
  const supportedGenerationMethods = ["generateContent", "countTokens"];
  return {
    models: models.map((name) => ({ name: `models/${name}`, displayName: name, supportedGenerationMethods })),
  };
}
