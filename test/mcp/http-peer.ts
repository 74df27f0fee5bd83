/** A server on a real port, and requests to it as any program could send them. */
import { type IncomingMessage, request } from "node:http";
import { onTestFinished } from "vitest";
import { type HttpServer, openHttp } from "../../src/mcp/http/http-server.ts";
import { Tokens } from "../../src/mcp/http/http-tokens.ts";
import type { ServerOptions } from "../../src/mcp/server-options.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";

export const token = "a-token-for-the-test";
export const otherToken = "another-token-for-the-test";

export interface Served {
  readonly server: HttpServer;
  readonly port: number;
}

export async function serveHttp(ports: ServerOptions): Promise<Served> {
  const opened = await openHttp(ports, {
    servers: nodeLoopbackServers,
    port: 0,
    tokens: new Tokens([token, otherToken]),
  });
  if ("problem" in opened) throw new Error(opened.problem.message);
  const { server } = opened;
  onTestFinished(() => server.close());
  return { server, port: server.port };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | object;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** The first message of the body, of either kind. */
  readonly message: {
    readonly result?: Record<string, unknown>;
    readonly error?: { readonly code: number; readonly data?: { code?: string; hint?: string } };
  };
}

/** Headers that a client sends are there unless they are said otherwise; `undefined` leaves one out. */
export async function post(port: number, sent: Sent): Promise<HttpAnswer> {
  const incoming = await open(port, sent);
  let text = "";
  incoming.setEncoding("utf8");
  for await (const piece of incoming) text += piece;
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    text,
    message: messageIn(text),
  };
}

/** The answer as it begins, with its body to be read or not. */
export function open(
  port: number,
  { method = "POST", path = "/mcp", headers = {}, body = "" }: Sent,
): Promise<IncomingMessage> {
  const all = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  };
  const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method,
      path,
      headers: Object.fromEntries(given),
      agent: false,
    };
    const outgoing = request(options, resolve);
    outgoing.on("error", reject);
    outgoing.end(typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", ...body }));
  });
}

export const greeting = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "peer", version: "7" } },
};

/** The id of a new session. */
export async function greet(port: number, headers: Sent["headers"] = {}): Promise<string> {
  const answer = await post(port, { body: greeting, headers });
  const id = answer.headers["mcp-session-id"];
  if (typeof id !== "string") throw new Error(`no session: ${answer.status} ${answer.text}`);
  return id;
}

/** The parameters of a request of 2026-07-28, and the headers that must say the same. */
export function modern(method: string, params: Record<string, unknown> = {}): Pick<Sent, "headers" | "body"> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "modern", version: "8" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const name = params.name ?? params.uri;
  return {
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
    body: { id: 1, method, params: { ...params, _meta } },
  };
}

function messageIn(text: string): HttpAnswer["message"] {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(data) as HttpAnswer["message"];
  } catch {
    return {};
  }
}
