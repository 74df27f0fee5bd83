/**
 * One server for one connection, or for one request if there are no connections; the same for every protocol version.
 * Built on the library's low-level API, because the high-level one would register every tool again for each request,
 * and words errors in its own way.
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
import { errorData, invalidParams } from "./refusal.ts";
import type { ChangeFeed } from "./resources/change-feed.ts";
import { completeArgument } from "./resources/complete.ts";
import { getPrompt, listPrompts } from "./resources/prompts.ts";
import { listResources, readResource, resourceTemplates } from "./resources/resources.ts";
import type { ServerOptions } from "./server-options.ts";
import type { Session } from "./session.ts";
import { listedTool } from "./tool-listing.ts";

export interface ServerLife {
  readonly era: McpRequestContext["era"];
  /** For a server that lives as long as its connection; missing if each request has its own server. */
  readonly feed?: ChangeFeed;
  /** What the connection remembers; missing if there is no connection. */
  readonly session?: Session;
}

export function makeServer(ports: ServerOptions, { era, feed, session }: ServerLife): Server {
  const { base, runs, version, log } = ports;
  const seen = session?.seen ?? new SeenDocuments();
  // A server for a single request has nobody to remember for.
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

  server.setRequestHandler("tools/list", () => ({ tools: ports.tools.map(listedTool) }));
  server.setRequestHandler("tools/call", ({ params }, context) =>
    callTool(ports, { name: params.name, given: params.arguments }, { server, context, own }),
  );
  server.setRequestHandler("resources/list", ({ params }) => orThrow(listResources(shelves, params?.cursor)));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const read = await readResource(shelves, params.uri).catch((thrown): { problem: Problem } => {
      const problem = ports.problemOf(thrown);
      log.say(`${quote(params.uri, 200)} could not be read: ${problem.code}: ${problem.message}`);
      return { problem };
    });
    return orThrow<ReadResourceResult>(read);
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(base.workflows) }));
  server.setRequestHandler("prompts/get", ({ params }) =>
    orThrow(getPrompt(base, { name: params.name, task: params.arguments?.task })),
  );
  server.setRequestHandler("completion/complete", ({ params }) => completeArgument(shelves, params));
  tellChanges(server, { era, ...(feed && { feed }) }, log);
  return server;
}

/** Before 2026-07-28 clients subscribe here; since then the library keeps subscriptions and filters what to send. */
function tellChanges(
  server: Server,
  { era, feed }: Omit<ServerLife, "session">,
  log: ServerOptions["log"],
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
  hint: "Unsubscribe from those you no longer need.",
};

function orThrow<Result extends object>(result: Result | { readonly problem: Problem }): Result {
  if ("problem" in result) throw protocolError(result.problem as Problem);
  return result as Result;
}

function protocolError(problem: Problem): ProtocolError {
  return new ProtocolError(invalidParams, problem.message, errorData(problem));
}

/** What the server tells an agent about itself, once, at the start. */
const instructions = `Coxswain keeps your tasks and documents in files, so that they outlive your context.

Two task systems:
- Coordinator tasks are yours, one after the other: coordinator_task to plan, start_coordinator_task to begin, complete_coordinator_task with a note to get the next. They take no slug.
- Subagent tasks live in documents and are named /path.md#slug: subagent_task to write them, start_subagent_task and complete_subagent_task to work on one.

After a compaction, or in a new session, call start_coordinator_task first: it gives back the task in progress and the Main-Workflow to follow.`;
