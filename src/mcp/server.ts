/**
 * One server for one connection, or for one request where there are no connections; the same for every version of the
 * protocol. Made on the library's lower level, because the upper one would register every tool anew for each request,
 * and words a mistake in its own way.
 */
import {
  type McpRequestContext,
  ProtocolError,
  type ReadResourceResult,
  Server,
} from "@modelcontextprotocol/server";
import { RememberingStore } from "../document/remembering-store.ts";
import { SeenDocuments } from "../document/seen-documents.ts";
import { quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { callTool } from "./call-tool.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { complete } from "./complete.ts";
import { instructions } from "./instructions.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { errorData, invalidParams } from "./refusal.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import type { ServerMeans } from "./server-means.ts";
import type { Session } from "./session.ts";
import { listedTool } from "./tool-listing.ts";

export interface ServerLife {
  readonly era: McpRequestContext["era"];
  /** Of a server that lives as long as its connection; nothing where each request has its own. */
  readonly feed?: ChangeFeed;
  /** What the connection remembers; nothing where there is none. */
  readonly session?: Session;
}

export function makeServer(means: ServerMeans, { era, feed, session }: ServerLife): Server {
  const { base, runs, version, log } = means;
  const seen = session?.seen ?? new SeenDocuments();
  // A server of one request has nobody to remember for.
  const store = session ? new RememberingStore(base.store, seen) : base.store;
  const own = { store, seen, session: session?.memory };
  const shelves = { ...own, runs };
  const server = new Server(
    { name: "coxswain", title: "Coxswain", version },
    {
      capabilities: {
        tools: {},
        resources: { subscribe: true, listChanged: true },
        prompts: {},
        completions: {},
        logging: {},
      },
      instructions,
    },
  );
  server.onerror = ({ message }) => log.say(message);

  server.setRequestHandler("tools/list", () => ({ tools: means.tools.map(listedTool) }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    callTool(means, { name: params.name, given: params.arguments }, { server, context, own }),
  );
  server.setRequestHandler("resources/list", ({ params }) => orThrow(listResources(shelves, params?.cursor)));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const read = await readResource(shelves, params.uri).catch((thrown): { problem: Problem } => {
      const problem = means.problemOf(thrown);
      log.say(`${quote(params.uri, 200)} could not be read: ${problem.code}: ${problem.message}`);
      return { problem };
    });
    return orThrow<ReadResourceResult>(read);
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(base.workflows) }));
  server.setRequestHandler("prompts/get", ({ params }) =>
    orThrow(getPrompt(base, { name: params.name, task: params.arguments?.task })),
  );
  server.setRequestHandler("completion/complete", ({ params }) => complete(shelves, params));
  tellChanges(server, { era, ...(feed && { feed }) }, log);
  return server;
}

/** Before 2026-07-28 a client subscribes here; since then the library keeps the subscriptions and sorts out what to send. */
function tellChanges(
  server: Server,
  { era, feed }: Omit<ServerLife, "session">,
  log: ServerMeans["log"],
): void {
  const subscribed = new Set<string>();
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    if (subscribed.size >= subscriptionsMax && !subscribed.has(params.uri)) throw protocolError(tooMany);
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });
  if (!feed) return;
  const failed = (error: unknown) => log.say(`a notification could not be sent: ${String(error)}`);
  const stop = feed.listen({
    updated(uri) {
      if (era === "modern" || subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(failed);
    },
    listChanged: () => void server.sendResourceListChanged().catch(failed),
  });
  server.onclose = stop;
}

const subscriptionsMax = 1_000;

const tooMany: Problem = {
  code: "LIMIT_SUBSCRIPTIONS",
  message: `this client has subscribed to ${subscriptionsMax} resources, which is the limit`,
  hint: "Unsubscribe from those that do not matter any more.",
};

function orThrow<Result extends object>(result: Result | { readonly problem: Problem }): Result {
  if ("problem" in result) throw protocolError(result.problem as Problem);
  return result as Result;
}

function protocolError(problem: Problem): ProtocolError {
  return new ProtocolError(invalidParams, problem.message, errorData(problem));
}
