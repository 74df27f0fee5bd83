/** Creates a document from a title and content. Never overwrites an existing one. */
import { lineEndOf } from "../plan/edit/splice.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import type { DocumentPath } from "./address.ts";
import { Document } from "./document.ts";
import { pathClash } from "./path-clash.ts";
import { similarDocuments } from "./search/similar-documents.ts";
import { unclosedProblem } from "./section/section-draft.ts";
import { unfitContent, unfitTitle } from "./section/section-operation.ts";
import { readSections } from "./section/sections.ts";
import type { Author, DocumentStore, StoreDecision } from "./store.ts";
import { whyNotWritable, whyTooLarge } from "./writable.ts";

export interface NewDocument {
  readonly path: DocumentPath;
  readonly title: string;
  /** Markdown; may start with front matter, and with the title as a heading. */
  readonly content: string;
  readonly tool: string;
}

export type CreatedDocument =
  /** With existing documents of nearly the same name, one of which may be what the caller wanted. */
  | { readonly document: Document; readonly similar: readonly DocumentPath[] }
  | { readonly problems: readonly Problem[] };

export async function createDocument(
  store: DocumentStore,
  author: Author,
  { path, title, content, tool }: NewDocument,
): Promise<CreatedDocument> {
  const unfit = [
    whyNotWritable(path),
    unfitTitle(title) ?? unfitHeading(title, content),
    unfitContent(content),
  ];
  const problems = unfit.flatMap((problem) => (problem ? [{ ...problem, path }] : []));
  if (problems.length > 0) return { problems };
  const document = Document.of(path, textOf(title, content));
  const tooLarge = whyTooLarge(document);
  if (tooLarge) return { problems: [tooLarge] };
  return store.change(author, (now): StoreDecision<CreatedDocument> => {
    const there = now.read(path);
    if (there.document) return { answer: { problems: [exists(path)] } };
    const clash = pathClash(now.list(), path) ?? there.problem;
    if (clash) return { answer: { problems: [clash] } };
    return {
      answer: { document, similar: similarDocuments(now, path) },
      edits: [{ do: "create", path, text: document.text }],
      done: { tool, about: `created ${path}` },
    };
  });
}

/** Ends with a line end; front matter comes first. */
function textOf(title: string, content: string): string {
  const lineEnd = lineEndOf(content);
  const { begin, all } = readSections(content);
  const body = content.slice(begin).trim();
  const isTitled = all[0]?.level === 1 && content.slice(begin, all[0].whole.start).trim() === "";
  const front = content.slice(0, begin);
  const gap = front === "" || front.endsWith("\n") ? "" : lineEnd;
  return `${front}${gap}${isTitled ? "" : `# ${title}${lineEnd}`}${isTitled || body === "" ? "" : lineEnd}${body}${body === "" ? "" : lineEnd}`;
}

/** The heading must match the title, and the content must close whatever it opens. */
function unfitHeading(title: string, content: string): Problem | undefined {
  const { all, begin, unclosed } = readSections(content);
  if (unclosed) return unclosedProblem;
  const [first] = all;
  const isGiven = first?.level === 1 && content.slice(begin, first.whole.start).trim() === "";
  const heading = (isGiven ? first : readSections(`# ${title}\n`).all[0])?.title ?? "";
  if (heading === title) return undefined;
  return {
    code: "SECTION_TITLE",
    message: `the title is ${quote(title, 60)}, but the heading would be ${quote(heading, 60)}`,
    hint: isGiven
      ? "Give the same words as title, or leave the heading out of the content."
      : "Give a title that a heading can have, without marks of Markdown at its ends.",
    field: "title",
  };
}

function exists(path: DocumentPath): Problem {
  return {
    code: "DOC_EXISTS",
    path,
    message: `there is a document ${quote(path, 200)} already; nothing was overwritten`,
    hint: `Change it with section, read it with view_document, or choose another name than ${oneLine(path, 200)}.`,
  };
}
