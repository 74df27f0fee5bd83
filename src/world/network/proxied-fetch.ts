/**
 * `fetch` through the proxy that the environment names, which Node's own ignores. It opens a tunnel through the proxy
 * (CONNECT) and sends the request inside it, so that the proxy sees whom we talk to but not what is said.
 *
 * A tunnel supports only what our callers need: a text body, a streamed answer. A redirect is not followed: it is the
 * answer, or an error if the caller says so.
 */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { connect as tlsConnect } from "node:tls";
import { assert } from "../../std/assert.ts";
import { heedAbort } from "../time/heed-abort.ts";
import { portOf, proxyFor } from "./proxy-for.ts";

type Fetch = typeof globalThis.fetch;

export function proxiedFetch(environment: Readonly<Record<string, string | undefined>>): Fetch {
  return async (input, init) => {
    assert(!(input instanceof Request), "a request is given by its address");
    const url = new URL(input);
    const proxy = proxyFor(url, environment);
    if (proxy === undefined) return heedAbort(await globalThis.fetch(input, init), init?.signal);
    try {
      return await within(await tunnel(url, new URL(proxy), init?.signal), url, init);
    } catch (error) {
      init?.signal?.throwIfAborted();
      throw new TypeError("fetch failed", { cause: error });
    }
  };
}

/** Opens a connection to the URL's host through the proxy. */
function tunnel(url: URL, proxy: URL, signal?: AbortSignal | null): Promise<Socket> {
  const place = `${url.hostname}:${portOf(url)}`;
  const { username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const headers = {
    host: place,
    ...(username !== "" && { "proxy-authorization": `Basic ${credentials.toString("base64")}` }),
  };
  const ask = proxy.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = ask({
      ...{ host: proxy.hostname, port: portOf(proxy), method: "CONNECT", path: place, headers },
      ...(signal && { signal }),
    });
    request.once("connect", ({ statusCode }: IncomingMessage, socket: Socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused ${place} with status ${statusCode}`));
    });
    request.once("error", reject).end();
  });
}

function within(socket: Socket, url: URL, init: RequestInit = {}): Promise<Response> {
  const isSecure = url.protocol === "https:";
  const connection = isSecure ? tlsConnect({ socket, servername: url.hostname }) : socket;
  const ask = isSecure ? httpsRequest : httpRequest;
  const { method = "GET", signal, body, redirect } = init;
  assert(body == null || typeof body === "string", "a body is text");
  return new Promise((resolve, reject) => {
    const request = ask(url, {
      method,
      // One request per tunnel, and no compression, since nothing here would decompress it.
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        ...{ host: url.host, connection: "close", "accept-encoding": "identity" },
      },
      createConnection: () => connection,
      ...(signal && { signal }),
    });
    request.once("response", (answer) => {
      if (redirect !== "error" || !isRedirect(answer)) return resolve(responseOf(answer));
      answer.destroy();
      reject(new Error(`unexpected redirect, status ${answer.statusCode}`));
    });
    request.once("error", reject).end(body ?? undefined);
  });
}

function isRedirect({ statusCode = 0, headers }: IncomingMessage): boolean {
  return [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined;
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = "", headers } = answer;
  const isEmpty = status === 204 || status === 205 || status === 304;
  if (isEmpty) answer.resume();
  return new Response(isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>), {
    status,
    statusText,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      [value ?? []].flat().map((one) => [name, one]),
    ),
  });
}
