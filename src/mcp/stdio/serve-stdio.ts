/** Serves the one client on stdin and stdout, until it leaves or we are stopped. */
import type { Readable, Writable } from "node:stream";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { ChangeFeed } from "../resources/change-feed.ts";
import { makeServer } from "../server.ts";
import type { ServerOptions } from "../server-options.ts";
import { newSession } from "../session.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { untilClosed } from "./until-closed.ts";

export interface Ends {
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted when the server should end. */
  readonly signal: AbortSignal;
}

export async function serveStdio(ports: ServerOptions, { input, output, signal }: Ends): Promise<void> {
  const feed = new ChangeFeed({ store: ports.base.store, runs: ports.runs });
  const transport = new StdioTransport(input, output);
  const session = newSession();
  const connection = serveConnection(({ era }) => makeServer(ports, { era, feed, session }), {
    transport,
    onerror: ({ message }) => ports.log.say(message),
    maxSubscriptions: subscriptionsMax,
  });
  try {
    await untilClosed({ transport, connection, signal });
  } finally {
    feed.close();
  }
}

const subscriptionsMax = 32;
