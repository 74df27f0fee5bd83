/** Serves the one client at the other end of stdin and stdout, until it goes or somebody stops us. */
import type { Readable, Writable } from "node:stream";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { ChangeFeed } from "./change-feed.ts";
import { makeServer } from "./server.ts";
import type { ServerMeans } from "./server-means.ts";
import { newSession } from "./session.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { untilClosed } from "./until-closed.ts";

export interface Ends {
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted when the server shall end. */
  readonly signal: AbortSignal;
}

export async function serveStdio(means: ServerMeans, { input, output, signal }: Ends): Promise<void> {
  const feed = new ChangeFeed({ store: means.base.store, runs: means.runs });
  const transport = new StdioTransport(input, output);
  const session = newSession();
  const connection = serveConnection(({ era }) => makeServer(means, { era, feed, session }), {
    transport,
    onerror: ({ message }) => means.log.say(message),
    maxSubscriptions: subscriptionsMax,
  });
  try {
    await untilClosed({ transport, connection, signal });
  } finally {
    feed.close();
  }
}

const subscriptionsMax = 32;
