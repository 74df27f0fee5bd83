/**
 * Resource URIs: `cox://docs/api/auth.md`, with `#slug` for a section or task in it, `cox://coordinator/active.md`,
 * `cox://archived/…`, `cox://runs/RUN/status` and the other views of a run.
 */
import { type Address, type DocumentPath, fileOf, readAddress } from "../../document/address.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type RunView, runViews } from "./runs.ts";

export type ResourceName =
  | { readonly kind: "document"; readonly address: Address }
  | { readonly kind: "run"; readonly run: string; readonly view: RunView };

export function readUri(uri: string): ResourceName | { readonly problem: Problem } {
  const [, rest] = /^cox:\/\/(.*)$/s.exec(uri) ?? [];
  if (rest === undefined) return { problem: unknownUri(uri) };
  const text = decoded(rest);
  if (text === undefined) return { problem: unknownUri(uri) };
  const [, run, seen] = /^runs\/([^/#]+)\/([a-z]+)$/.exec(text) ?? [];
  const view = runViews.find((one) => one === seen);
  if (run !== undefined && view !== undefined) return { kind: "run", run, view };
  if (!/^(docs|coordinator|archived)\//.test(text)) return { problem: unknownUri(uri) };
  const read = readAddress(`/${text}`);
  return "problem" in read ? read : { kind: "document", address: read.address };
}

export function documentUri(path: DocumentPath, slug?: string): string {
  return `cox://${encoded(fileOf(path))}${slug === undefined ? "" : `#${encodeURIComponent(slug)}`}`;
}

export function runUri(run: string, view: RunView): string {
  return `cox://runs/${encodeURIComponent(run)}/${view}`;
}

export function unknownUri(uri: string): Problem {
  return {
    code: "RESOURCE_UNKNOWN",
    message: `there is no resource ${quote(uri, 200)}`,
    hint: "Name a document (cox://docs/PATH.md), the list (cox://coordinator/active.md), an archive (cox://archived/…) or a run (cox://runs/RUN/status, questions or log); resources/list lists them all.",
  };
}

function encoded(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** Undefined if an escape is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
