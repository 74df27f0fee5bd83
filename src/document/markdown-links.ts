/**
 * Markdown links to documents: `[x](other.md#section)`, `[x](../specs/a.md)`, `[x](/specs/a.md)`, `[x](#section)`, and
 * definitions (`[x]: other.md`).
 *
 * As a viewer would follow them: relative to the file they stand in. `/` is the root of the documents, or of the
 * repository where it goes on with `.coxswain/`. Links to anything else are nobody's business here.
 */
import type { Line } from "../plan/lines.ts";
import type { Span } from "../plan/plan.ts";
import { codeSpans, proseBlocks } from "../plan/prose.ts";
import { type DocumentPath, fileOf, readAddress } from "./address.ts";

export interface MarkdownLink {
  /** Where its target stands, without brackets. */
  readonly at: Span;
  readonly path: DocumentPath;
  readonly slug?: string;
  readonly written: Written;
}

/** From the folder of the file; from the root of the documents, or of the repository; not at all, for the document itself. */
export type Written = "relative" | "root" | "repository" | "own";

/** In the text of the document `from`. */
export function markdownLinks(text: string, lines: readonly Line[], from: DocumentPath): MarkdownLink[] {
  const rows = lines.filter(({ isRow }) => isRow).map(({ start, next }) => ({ start, end: next }));
  return [...proseBlocks(lines), ...rows]
    .flatMap(({ start, end }) => targetsIn(text.slice(start, end)).map((span) => shifted(span, start)))
    .flatMap((at) => linkAt(text, at, from) ?? [])
    .toSorted((one, other) => one.at.start - other.at.start);
}

/** How a link of that kind, in the document `from`, names `to`. */
export function spelledTarget(
  to: DocumentPath,
  { written, from }: { written: Written; from: DocumentPath },
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

/** So that nothing in it ends the link, or means something else there. */
function encoded(path: string): string {
  return path.replace(/[\s()<>"'`\\%#?|]/g, (one) => {
    const escaped = encodeURIComponent(one);
    return escaped === one ? `%${one.charCodeAt(0).toString(16).toUpperCase()}` : escaped;
  });
}

/** Of inline links and definitions, wherever they lead. */
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

/** Of the same length, with nothing to be found in its code. */
function withoutCode(block: string): string {
  let words = "";
  let end = 0;
  for (const span of codeSpans(block)) {
    words += block.slice(end, span.start) + "\0".repeat(span.end - span.start);
    end = span.end;
  }
  return words + block.slice(end);
}

/** Of a definition; not of a footnote, whose words follow. */
const label = /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:/gm;

/** A target in `<>`, or up to a blank or to a bracket that was not opened in it; then a title may follow. */
const inline = /^[ \t]*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\\S|\([^\s()]*\))+))(?=\s*\)|\s+["'(])/;
const defined = /^[ \t]*(?:<([^<>\n]*)>|((?:[^\s\\]|\\\S)+))(?=\s|$)/;

/** A target is no longer: what goes on without end is looked at once from each bracket. */
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

/** Nothing where it leads out of the folder of the documents. */
function resolved(from: string, relative: string): string | undefined {
  const steps = from.split("/").slice(0, -1);
  for (const step of relative.split("/")) {
    if (step === "..") {
      if (steps.pop() === undefined) return undefined;
    } else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

/** Nothing where an escape is broken. */
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
