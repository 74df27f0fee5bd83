/**
 * Addresses of documents and of their sections or tasks: `/api/auth.md`, `/api/auth.md#slug`.
 *
 * Paths start at the root of the documents. `/docs/a.md` and `/a.md` are the same document. `/coordinator/` and
 * `/archived/` lie beside `docs/`: they can be addressed, but are never listed or searched. Paths must follow the same
 * rules as the paths in a reply.
 */
import { type Canonical, canonicalPath } from "../change/path.ts";
import { protectedPath } from "../change/policy/protected.ts";
import { secretPath } from "../change/policy/secret-paths.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";

/** In canonical form: starts with `/`, has no `docs/`, ends with `.md`. */
export type DocumentPath = string & { readonly brand: "DocumentPath" };

export interface Address {
  readonly path: DocumentPath;
  /** The slug of a section or a task. */
  readonly slug?: string;
}

export type ReadAddress = { readonly address: Address } | { readonly problem: Problem };

export const activeList = "/coordinator/active.md" as DocumentPath;

export function readAddress(given: string): ReadAddress {
  const hash = given.indexOf("#");
  const spelled = hash === -1 ? given : given.slice(0, hash);
  const slug = hash === -1 ? undefined : given.slice(hash + 1);
  if (slug === "") {
    return refused(
      "DOC_EMPTY_SLUG",
      given,
      "there is nothing after the #",
      "Name a section or task: /a.md#slug",
    );
  }
  const read = readPath(spelled);
  if ("problem" in read) return read;
  return { address: { path: read.path, ...(slug !== undefined && { slug }) } };
}

/** A folder of the documents; starts and ends with `/`. */
export function readFolder(given: string): { readonly folder: string } | { readonly problem: Problem } {
  const trimmed = given.replace(/^@?\/+|\/+$/g, "");
  if (trimmed === "" || trimmed === ".") return { folder: "/" };
  const canonical = fitPath(trimmed);
  if ("problem" in canonical) return canonical;
  const path = `/${canonical.path.replace(/^docs(?:\/|$)/, "")}` as DocumentPath;
  const folder = path === "/" ? "/" : `${path}/`;
  if (isOutside(folder as DocumentPath)) {
    const why = "it lies beside the documents, and is neither listed nor searched";
    return refused(
      "DOC_OUTSIDE",
      given,
      why,
      "Name what you want to see there: view_document /coordinator/active.md",
    );
  }
  return { folder };
}

export function addressText({ path, slug }: Address): string {
  return slug === undefined ? path : `${path}#${slug}`;
}

/** The file of a document, relative to the folder that holds them all: `docs/api/auth.md`. */
export function fileOf(path: DocumentPath): string {
  return isOutside(path) ? path.slice(1) : `docs${path}`;
}

/** Whether a path lies beside `docs/`, where it is never listed or searched. */
export function isOutside(path: DocumentPath): boolean {
  return path.startsWith("/coordinator/") || path.startsWith("/archived/");
}

function readPath(spelled: string): { readonly path: DocumentPath } | { readonly problem: Problem } {
  const relative = spelled.replace(/^@?\/+/, "");
  if (relative === "")
    return refused("PATH_EMPTY", spelled, "the path is empty", "Name a document: /api/auth.md");
  const canonical = fitPath(relative);
  if ("problem" in canonical) {
    const { problem } = canonical;
    return problem.code === "PATH_IS_DIRECTORY"
      ? { problem: { ...problem, hint: folderHint(spelled) } }
      : canonical;
  }
  const isInDocs = canonical.path.startsWith("docs/");
  const path = `/${isInDocs ? canonical.path.slice("docs/".length) : canonical.path}` as DocumentPath;
  if (isInDocs && isOutside(path)) {
    const hint = "Choose another folder: /coordinator/ and /archived/ are reserved.";
    return refused("DOC_RESERVED", spelled, "it has the name of a folder that is not for documents", hint);
  }
  if (!path.endsWith(".md") || path.endsWith("/.md")) {
    return refused(
      "DOC_NOT_MARKDOWN",
      spelled,
      "a document's name ends in .md",
      `Documents are named like this: ${oneLine(path.replace(/\.[a-z]{1,8}$/i, ""), 200)}.md`,
    );
  }
  return { path };
}

/**
 * A path that no reply may write cannot be a document either: `.git/hooks/a.md` would interfere with git, and
 * `.env/a.md` is kept from agents.
 */
function fitPath(relative: string): Canonical {
  const canonical = canonicalPath(relative, "/");
  if ("problem" in canonical) return canonical;
  const problem = protectedPath(canonical.path) ?? secretPath(canonical.path);
  return problem ? { problem: { ...problem, path: oneLine(relative, 200) } } : canonical;
}

function folderHint(spelled: string): string {
  const folder = oneLine(`/${spelled.replace(/^@?\/+|\/+$/g, "")}/`, 200);
  return `Name a document in it, such as ${folder}name.md; browse_documents with the folder ${folder} shows what lies there.`;
}

function refused(code: string, given: string, why: string, hint: string): { problem: Problem } {
  return { problem: { code, path: oneLine(given, 200), message: `${quote(given, 200)}: ${why}`, hint } };
}
