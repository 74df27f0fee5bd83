/**
 * Markdown links to documents: `[x](other.md#section)`, `[x](../specs/a.md)`, `[x](/specs/a.md)`, `[x](#section)`, and
 * definitions (`[x]: other.md`).
 *
 * Resolved as a viewer would: relative to the file that contains them. `/` is the root of the documents, or of the
 * repository if `.coxswain/` follows. Links to anything else are ignored.
 */

import type { Span } from "../../plan/plan.ts";
import type { SourceLine } from "../../plan/read/lines.ts";
import { codeSpans, proseBlocks } from "../../plan/read/prose.ts";
import { type DocumentPath, fileOf, readAddress } from "../address.ts";

export interface MarkdownLink {
  /** The span of its target, without brackets. */
  readonly at: Span;
  readonly path: DocumentPath;
  readonly slug?: string;
  readonly written: WrittenLink;
}

/** Relative to the file's folder; from the root of the documents, or of the repository; `own` has no path at all. */
export type WrittenLink = "relative" | "root" | "repository" | "own";

/** Links in the text of the document `from`. */
export function markdownLinks(
  text: string,
  lines: readonly SourceLine[],
  from: DocumentPath,
): MarkdownLink[] {
  const rows = lines.filter(({ isRow }) => isRow).map(({ start, next }) => ({ start, end: next }));
  return [...proseBlocks(lines), ...rows]
    .flatMap(({ start, end }) => targetsIn(text.slice(start, end)).map((span) => shifted(span, start)))
    .flatMap((at) => linkAt(text, at, from) ?? [])
    .toSorted((one, other) => one.at.start - other.at.start);
}

/** How a link of this kind, in the document `from`, spells `to`. */
export function spelledTarget(
  to: DocumentPath,
  { written, from }: { written: WrittenLink; from: DocumentPath },
): string {
  switch (written) {
    case "own":
      return "";
    case "root":
      return encoded(to);
    case "repository":
      return encoded(`/.coxswain/${fileOf(to)}`);
    case "relative":
      return encoded(relativePath(fileOf(from), fileOf(to)));
  }
}

function relativePath(from: string, to: string): string {
  const folders = from.split("/").slice(0, -1);
  const steps = to.split("/");
  let same = 0;
  while (same < folders.length && folders[same] === steps[same]) same += 1;
  return [...folders.slice(same).map(() => ".."), ...steps.slice(same)].join("/");
}

/** Escapes whatever would end the link or have a special meaning in it. */
function encoded(path: string): string {
  return path.replace(/[\s()<>"'`\\%#?|]/g, (one) => {
    const escaped = encodeURIComponent(one);
    return escaped === one ? `%${one.charCodeAt(0).toString(16).toUpperCase()}` : escaped;
  });
}

/** The targets of inline links and definitions, wherever they lead. */
function targetsIn(block: string): Span[] {
  if (!block.includes("](") && !block.includes("]:")) return [];
  const words = withoutCode(block);
  const first = words.indexOf("[");
  const found: (Span | undefined)[] = [];
  for (let at = words.indexOf("](", first); first !== -1 && at !== -1; at = words.indexOf("](", at + 2))
    if (words[at - 1] !== "\\") found.push(targetAt(words, at + 2, inline));
  for (const { index, 0: head } of words.matchAll(label))
    found.push(targetAt(words, index + head.length, defined));
  return found.filter((span) => span !== undefined);
}

/** The same length, with its code blanked out. */
function withoutCode(block: string): string {
  let words = "";
  let end = 0;
  for (const span of codeSpans(block)) {
    words += block.slice(end, span.start) + "\0".repeat(span.end - span.start);
    end = span.end;
  }
  return words + block.slice(end);
}

/** The label of a definition, but not of a footnote, which is followed by text. */
const label = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:/gm;

/** A target in `<>`, or up to white space or an unmatched closing bracket; a title may follow. */
const inline = /^[ \t]*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\\S|\([^\s()]*\))+))(?=\s*\)|\s+["'(])/;
const defined = /^[ \t]*(?:<([^<>\n]*)>|((?:[^\s\\]|\\\S)+))(?=\s|$)/;

/** No target is longer. Limits the work for each bracket if a target never ends. */
const targetMax = 1000;

function targetAt(words: string, start: number, shape: RegExp): Span | undefined {
  const [whole, angled, plain = ""] = shape.exec(words.slice(start, start + targetMax)) ?? [];
  if (whole === undefined) return undefined;
  const end = start + whole.length - (angled === undefined ? 0 : 1);
  return { start: end - (angled ?? plain).length, end };
}

function linkAt(text: string, at: Span, from: DocumentPath): MarkdownLink | undefined {
  const spelled = text.slice(at.start, at.end);
  const hash = spelled.indexOf("#");
  const path = decoded(hash === -1 ? spelled : spelled.slice(0, hash));
  const slug = hash === -1 ? undefined : decoded(spelled.slice(hash + 1));
  if (path === undefined || /^[a-z][a-z\d+.-]*:|^\/\/|^@\/|\?/i.test(path)) return undefined;
  if (path === "" && !slug) return undefined;
  const target = path === "" ? { path: from, written: "own" as const } : documentAt(path, from);
  return target && { at, ...target, ...(slug && { slug }) };
}

function documentAt(spelled: string, from: DocumentPath): Pick<MarkdownLink, "path" | "written"> | undefined {
  if (!spelled.endsWith(".md")) return undefined;
  const isRoot = spelled.startsWith("/");
  const isRepository = spelled.startsWith("/.coxswain/");
  const file = isRepository
    ? spelled.slice("/.coxswain/".length)
    : isRoot
      ? undefined
      : resolved(fileOf(from), spelled);
  if (!isRoot && file === undefined) return undefined;
  if (file !== undefined && !/^(docs|coordinator|archived)\//.test(file)) return undefined;
  const read = readAddress(file === undefined ? spelled : `/${file}`);
  if ("problem" in read) return undefined;
  const written = isRepository ? "repository" : isRoot ? "root" : "relative";
  return { path: read.address.path, written };
}

/** Undefined if it leads out of the documents' folder. */
function resolved(from: string, relative: string): string | undefined {
  const steps = from.split("/").slice(0, -1);
  for (const step of relative.split("/")) {
    if (step === "..") {
      if (steps.pop() === undefined) return undefined;
    } else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** Undefined if an escape is malformed. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\\([!-/:-@[-`{-~])/g, "$1"));
  } catch {
    return undefined;
  }
}

function shifted({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}
