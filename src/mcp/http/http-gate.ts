/**
 * Checks made before a body is read: is the request meant for us, does a web page send it, and may its sender come in.
 *
 * Host and Origin are compared as a whole, because a name that starts or ends like ours may be anybody's.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { HttpHead } from "../../world/network/loopback-server.ts";
import { HttpRefusal } from "./http-refusal.ts";
import type { Tokens } from "./http-tokens.ts";

export const mcpUrlPath = "/mcp";

export class HttpGate {
  constructor(
    private readonly tokens: Tokens,
    private readonly port: () => number,
  ) {}

  admit(head: HttpHead): HttpRefusal | undefined {
    const refused = this.#wrongHost(head) ?? this.#wrongOrigin(head) ?? wrongPath(head);
    if (refused) return refused;
    if (this.ownerOf(head) === undefined) return noToken(head.headers.authorization);
    return wrongMethod(head) ?? wrongType(head);
  }

  /** Whose token the request carries, as an index. */
  ownerOf({ headers }: HttpHead): number | undefined {
    return this.tokens.ownerOf(headers.authorization);
  }

  get #names(): readonly string[] {
    return ["localhost", "127.0.0.1", "[::1]"].map((name) => `${name}:${this.port()}`);
  }

  #wrongHost({ headers: { host = "" } }: HttpHead): HttpRefusal | undefined {
    if (this.#names.includes(host.toLowerCase())) return undefined;
    return new HttpRefusal(403, {
      code: "HTTP_HOST",
      message: `the Host ${quote(host, 100)} is not this server's`,
      hint: `Call it by its own name: http://127.0.0.1:${this.port()}${mcpUrlPath}`,
    });
  }

  #wrongOrigin({ headers }: HttpHead): HttpRefusal | undefined {
    const { origin, "sec-fetch-site": site } = headers;
    const isOurs =
      origin === undefined || this.#names.some((name) => origin.toLowerCase() === `http://${name}`);
    // Browsers leave Origin out of some requests and send this header instead.
    const isForeign = site !== undefined && site !== "same-origin" && site !== "none";
    if (isOurs && !isForeign) return undefined;
    return new HttpRefusal(403, {
      code: "HTTP_ORIGIN",
      message: `a page of ${quote(origin ?? "another site", 100)} may not call this server`,
      hint: "Use a client that is not a web page; such clients send no Origin.",
    });
  }
}

function wrongPath({ path }: HttpHead): HttpRefusal | undefined {
  if (path === mcpUrlPath) return undefined;
  return new HttpRefusal(404, {
    code: "HTTP_PATH",
    message: `there is nothing at ${quote(path, 100)}`,
    hint: `The server is at ${mcpUrlPath}`,
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

function wrongMethod({ method }: HttpHead): HttpRefusal | undefined {
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

function wrongType({ method, headers }: HttpHead): HttpRefusal | undefined {
  const { "content-type": type = "" } = headers;
  if (method !== "POST" || type.split(";")[0]?.trim().toLowerCase() === "application/json") return undefined;
  return new HttpRefusal(415, {
    code: "HTTP_TYPE",
    message: `the body is ${quote(type, 80)}, not application/json`,
    hint: "Send JSON, with the header Content-Type: application/json.",
  });
}
