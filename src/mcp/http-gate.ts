/**
 * What is looked at before a body is read: is it meant for us, does a web page send it, may its sender come in.
 *
 * Host and Origin are compared whole, because a name that begins or ends like ours may be anybody's.
 */
import type { IncomingMessage } from "node:http";
import { oneLine, quote } from "../std/printable.ts";
import { HttpRefusal } from "./http-refusal.ts";
import type { Tokens } from "./http-tokens.ts";

export const mcpPath = "/mcp";

export interface Gate {
  readonly port: number;
  readonly tokens: Tokens;
}

/** The sender, by the place of their token, or why they are refused. */
export function admit(request: IncomingMessage, gate: Gate): number | HttpRefusal {
  const refused = wrongHost(request, gate) ?? wrongOrigin(request, gate) ?? wrongPath(request);
  if (refused) return refused;
  const owner = gate.tokens.ownerOf(request.headers.authorization);
  if (owner === undefined) return noToken(request.headers.authorization);
  return wrongMethod(request) ?? wrongType(request) ?? owner;
}

function names(port: number): readonly string[] {
  return ["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${port}`);
}

function wrongHost({ headers, rawHeaders }: IncomingMessage, { port }: Gate): HttpRefusal | undefined {
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (count === 1 && names(port).includes(headers.host?.toLowerCase() ?? "")) return undefined;
  return new HttpRefusal(403, {
    code: "HTTP_HOST",
    message: `the Host ${quote(headers.host ?? "", 100)} is not this server's`,
    hint: `Call it by its own name: http://127.0.0.1:${port}${mcpPath}`,
  });
}

function wrongOrigin({ headers }: IncomingMessage, { port }: Gate): HttpRefusal | undefined {
  const { origin } = headers;
  const site = headers["sec-fetch-site"];
  const isOurs =
    origin === undefined || names(port).some((name) => origin.toLowerCase() === `http://${name}`);
  // Browsers leave Origin out of some requests, and say this instead.
  const isForeign = typeof site === "string" && site !== "same-origin" && site !== "none";
  if (isOurs && !isForeign) return undefined;
  return new HttpRefusal(403, {
    code: "HTTP_ORIGIN",
    message: `a page of ${quote(origin ?? "another site", 100)} may not call this server`,
    hint: "Use a client that is no web page; those send no Origin.",
  });
}

function wrongPath({ url = "" }: IncomingMessage): HttpRefusal | undefined {
  if (url.split("?")[0] === mcpPath) return undefined;
  return new HttpRefusal(404, {
    code: "HTTP_PATH",
    message: `there is nothing at ${quote(url, 100)}`,
    hint: `The server is at ${mcpPath}`,
  });
}

function noToken(given: string | undefined): HttpRefusal {
  return new HttpRefusal(
    401,
    {
      code: "HTTP_AUTH",
      message: given === undefined ? "the request has no token" : "the token is not this server's",
      hint: "Send the header Authorization: Bearer TOKEN, with the token that cox mcp --http printed or was given.",
    },
    { headers: { "www-authenticate": "Bearer" } },
  );
}

function wrongMethod({ method = "" }: IncomingMessage): HttpRefusal | undefined {
  if (["POST", "GET", "DELETE"].includes(method)) return undefined;
  return new HttpRefusal(
    405,
    {
      code: "HTTP_METHOD",
      message: `${oneLine(method, 20)} is not served`,
      hint: "Send messages with POST, listen with GET, end a session with DELETE.",
    },
    { headers: { allow: "GET, POST, DELETE" } },
  );
}

function wrongType({ method, headers }: IncomingMessage): HttpRefusal | undefined {
  const type = headers["content-type"] ?? "";
  if (method !== "POST" || type.split(";")[0]?.trim().toLowerCase() === "application/json") return undefined;
  return new HttpRefusal(415, {
    code: "HTTP_TYPE",
    message: `the body is ${quote(type, 80)}, not application/json`,
    hint: "Send JSON, with the header Content-Type: application/json.",
  });
}
