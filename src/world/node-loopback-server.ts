/** Serving HTTP on 127.0.0.1 by Node's own server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpAnswer, HttpRequest, LoopbackServers } from "./loopback-server.ts";

/** A long conversation with files and pictures in it stays below. */
const bodyBytesMax = 64 * 1024 * 1024;

export const nodeLoopbackServers: LoopbackServers = {
  async listen(port, serve) {
    const server = createServer((incoming, outgoing) => {
      hear(incoming, outgoing, serve).catch((error: unknown) => {
        // Whoever hung up while it asked is no failure; anything else is a bug, and must be seen as one.
        if (!outgoing.destroyed) outgoing.destroy();
        if (!incoming.errored) throw error;
      });
    });
    // A client may think for as long as it likes: only whoever is asked is slow on purpose here.
    server.requestTimeout = 0;
    await listening(server, port);
    return {
      port: (server.address() as AddressInfo).port,
      async close() {
        const closed = new Promise<void>((resolve) => server.close(() => resolve()));
        server.closeAllConnections();
        await closed;
      },
    };
  },
};

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function hear(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  serve: (request: HttpRequest, answer: HttpAnswer) => Promise<void>,
): Promise<void> {
  const answer = answerTo(outgoing);
  const body = await readBody(incoming);
  if (body === undefined) {
    answer.begin(413, { connection: "close" });
    answer.end(`The body has more than ${bodyBytesMax} bytes.\n`);
    return;
  }
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  const method = incoming.method ?? "GET";
  await serve(
    { method, path: pathname, query: searchParams, headers: Object.fromEntries(headers), body },
    answer,
  );
}

/** Nothing when it is too long. */
async function readBody(incoming: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answerTo(outgoing: ServerResponse): HttpAnswer {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  return {
    begin(status, headers) {
      outgoing.writeHead(status, { ...headers });
      outgoing.flushHeaders();
    },
    write(text) {
      outgoing.write(text);
    },
    end(text = "") {
      outgoing.end(text);
    },
    drop() {
      // What was written is on its way to the socket until the next turn of the loop; it goes out first.
      setImmediate(() => outgoing.socket?.destroySoon());
    },
    gone: gone.signal,
  };
}
