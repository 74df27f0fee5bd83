/** Serves HTTP on 127.0.0.1 with Node's own server. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type {
  Guard,
  HttpAnswer,
  HttpHead,
  HttpReply,
  HttpRequest,
  LoopbackServers,
} from "./loopback-server.ts";

/** Even a long conversation with files and pictures stays below this. */
const bodyBytesMax = 64 * 1024 * 1024;

export const nodeLoopbackServers: LoopbackServers = {
  async listen(port, serve, guard) {
    const server = createServer(guard ? hurry : {}, (incoming, outgoing) => {
      hear(incoming, outgoing, { serve, guard }).catch((error: unknown) => {
        // A client that hung up during its request is not a failure. Anything else is a bug and must be visible.
        if (!outgoing.destroyed) outgoing.destroy();
        if (!incoming.errored) throw error;
      });
    });
    if (guard) server.on("clientError", (error, socket) => refuse(error, socket as Socket, guard));
    // A client may take as long as it likes: here only the server is slow on purpose.
    else server.requestTimeout = 0;
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

/** Slow senders would hold connections that others need. */
const hurry = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Rejects what cannot even be parsed as HTTP, most often because its headers are too long. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, guard: Guard): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const { status, headers, body } =
    error.code === "HPE_HEADER_OVERFLOW" ? guard.headersTooLong : guard.unreadable;
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join("")}\r\n${body}`);
}

interface Served {
  readonly serve: (request: HttpRequest, answer: HttpAnswer) => Promise<void>;
  readonly guard: Guard | undefined;
}

async function hear(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { serve, guard }: Served,
): Promise<void> {
  const answer = answerTo(outgoing);
  const head = headOf(incoming);
  const refusal = guard?.admit(head);
  if (refusal) {
    send(answer, refusal);
    return;
  }
  const body = await readBody(incoming, guard?.bodyBytesMax ?? bodyBytesMax);
  if (body) await serve({ ...head, body }, answer);
  else send(answer, guard?.bodyTooLong ?? bodyTooLong);
}

const bodyTooLong: HttpReply = {
  status: 413,
  headers: { connection: "close" },
  body: `The body has more than ${bodyBytesMax} bytes.\n`,
};

function headOf({ method = "GET", url = "/", headers }: IncomingMessage): HttpHead {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { method, path: pathname, query: searchParams, headers: Object.fromEntries(named) };
}

function send(answer: HttpAnswer, { status, headers, body }: HttpReply): void {
  answer.begin(status, headers);
  answer.end(body);
}

/** `undefined` when it is too long. */
async function readBody(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += chunk.length;
    if (length <= bytesMax) chunks.push(chunk);
    // A body that is too long is read and discarded, so that its sender sees the reply instead of a broken pipe.
    else chunks.length = 0;
    if (length > bodyBytesMax) break;
  }
  return length > bytesMax ? undefined : Buffer.concat(chunks);
}

function answerTo(outgoing: ServerResponse): HttpAnswer {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  return {
    begin(status, headers) {
      outgoing.writeHead(status, { ...headers });
      outgoing.flushHeaders();
    },
    write(piece) {
      outgoing.write(piece);
    },
    end(text = "") {
      outgoing.end(text);
    },
    drop() {
      // Written data reaches the socket only in the next turn of the event loop; let it go out first.
      setImmediate(() => outgoing.socket?.destroySoon());
    },
    abandon() {
      outgoing.destroy();
    },
    get waiting() {
      return outgoing.writableLength;
    },
    gone: gone.signal,
  };
}
