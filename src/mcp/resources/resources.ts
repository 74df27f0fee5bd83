/** Documents, the coordinator's list, archives and runs as resources: listed page by page, read by URI. */
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
} from "@modelcontextprotocol/server";
import { type Address, activeList, addressText } from "../../document/address.ts";
import type { Document } from "../../document/document.ts";
import { findPart, nearestParts } from "../../document/find-document.ts";
import type { SeenDocuments } from "../../document/seen-documents.ts";
import type { DocumentStore } from "../../document/store.ts";
import type { Span } from "../../plan/plan.ts";
import { closestName } from "../../std/closest-name.ts";
import type { Problem } from "../../std/problem.ts";
import { documentUri, readUri, runUri, unknownUri } from "./resource-uri.ts";
import { type RunLibrary, type RunView, runViews } from "./runs.ts";

export interface Shelves {
  readonly store: DocumentStore;
  readonly runs: RunLibrary;
  /** Remembers what the client was shown. */
  readonly seen?: SeenDocuments;
}

type Problems = { readonly problem: Problem };

/** `cursor` is where the previous page ended. */
export function listResources(shelves: Shelves, cursor?: string): ListResourcesResult | Problems {
  const all = allResources(shelves);
  const from = cursor === undefined ? 0 : Number(/^after-(\d{1,9})$/.exec(cursor)?.[1] ?? -1);
  if (from < 0) return { problem: badCursor };
  const end = from + pageSize;
  const resources = all.slice(from, end);
  return { resources, ...(end < all.length && { nextCursor: `after-${end}` }) };
}

const pageSize = 500;

const badCursor: Problem = {
  code: "MCP_BAD_PARAMS",
  message: "the cursor is not one of this server's",
  hint: "Pass on the nextCursor of the page before, or none to start at the beginning.",
};

function allResources({ store, runs }: Shelves): Resource[] {
  const list = store.read(activeList).document;
  const documents = store.list().map(({ path, size }) => ({ ...markdown(path.slice(1), path), size }));
  const archives = store.archive().map(({ path, size }) => ({ ...markdown(path.slice(1), path), size }));
  return [
    ...(list ? [{ ...markdown("active.md", activeList), title: "The coordinator's task list" }] : []),
    ...documents,
    ...archives,
    ...runs.list().flatMap((run) => runViews.map((view) => runResource(run, view))),
  ];
}

function markdown(name: string, path: Parameters<typeof documentUri>[0]): Resource {
  return { uri: documentUri(path), name, mimeType: text };
}

function runResource(run: string, view: RunView): Resource {
  const title = {
    status: `Status of run ${run}`,
    questions: `Open questions of run ${run}`,
    log: `Log of run ${run}`,
  };
  return { uri: runUri(run, view), name: `${run}/${view}`, title: title[view], mimeType: typeOf(view) };
}

function typeOf(view: RunView): string {
  return view === "log" ? "text/plain" : "application/json";
}

const text = "text/markdown";

export const documentTemplate = "cox://docs/{+path}";
export const sectionTemplate = "cox://docs/{+path}#{slug}";
export const archiveTemplate = "cox://archived/{+path}";
export const runTemplate = "cox://runs/{run}/{view}";

export const resourceTemplates: ListResourceTemplatesResult["resourceTemplates"] = [
  { name: "document", title: "A document", uriTemplate: documentTemplate, mimeType: text },
  {
    name: "section",
    title: "A section or task of a document",
    uriTemplate: sectionTemplate,
    mimeType: text,
  },
  { name: "archive", title: "An archived list or document", uriTemplate: archiveTemplate, mimeType: text },
  { name: "run", title: "Status, open questions and log of a run", uriTemplate: runTemplate },
];

export async function readResource(shelves: Shelves, uri: string): Promise<ReadResourceResult | Problems> {
  const name = readUri(uri);
  if ("problem" in name) return name;
  if (name.kind === "run") {
    const seen = await shelves.runs.read(name.run, name.view);
    if (seen === undefined) return { problem: unknownRun(uri, name, shelves.runs.list()) };
    return { contents: [{ uri, mimeType: typeOf(name.view), text: seen }] };
  }
  const { document, problem } = shelves.store.read(name.address.path);
  if (problem) return { problem };
  if (!document) return { problem: unknownDocument(uri, name.address, shelves.store) };
  const found = spanOf(document, name.address, uri);
  if ("problem" in found) return found;
  shelves.seen?.shown(document, found);
  return { contents: [{ uri, mimeType: text, text: document.slice(found.start, found.end) }] };
}

function spanOf(document: Document, { path, slug }: Address, uri: string): Span | Problems {
  if (slug === undefined) return { start: 0, end: document.length };
  const found = findPart(document, slug);
  if ("part" in found) return found.part.whole;
  const [near] = nearestParts(document, slug);
  const hint = near ? `Did you mean ${documentUri(path, near)}?` : `Read the whole: ${documentUri(path)}`;
  return { problem: { ...unknownUri(uri), path: addressText({ path, slug }), hint } };
}

function unknownDocument(uri: string, { path }: Address, store: DocumentStore): Problem {
  const near = closestName(
    path,
    [...store.list(), ...store.archive()].map((one) => one.path),
  ) as typeof path | undefined;
  return { ...unknownUri(uri), path, ...(near && { hint: `Did you mean ${documentUri(near)}?` }) };
}

function unknownRun(
  uri: string,
  { run, view }: { readonly run: string; readonly view: RunView },
  runs: readonly string[],
): Problem {
  const near = closestName(run, runs);
  return { ...unknownUri(uri), ...(near && { hint: `Did you mean ${runUri(near, view)}?` }) };
}
