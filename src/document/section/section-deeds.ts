/**
 * Describes a change of a document's sections, for the history: each operation with its section, and what went.
 */
import { unreachable } from "../../std/assert.ts";
import { oneLine } from "../../std/printable.ts";
import type { SectionOperation } from "./section-operation.ts";

export interface SectionDeeds {
  readonly operations: readonly SectionOperation[];
  /** The current slug of what each operation made or changed. */
  readonly slugs: readonly (string | undefined)[];
  /** Sections and tasks that no longer exist. */
  readonly removed: readonly string[];
}

export function sectionDeeds({ operations, slugs, removed }: SectionDeeds): string {
  const done = operations.map((operation, at) => deed(operation, slugs[at]));
  const named = new Set(
    operations.flatMap(({ operation, slug }) => (operation === "remove" ? (slug ?? []) : [])),
  );
  const also = removed.filter((slug) => !named.has(slug)).map(marked);
  const taken = also.length === 0 ? "" : `; with it went ${some(also, removedShown)}`;
  return `${some(done, deedsShown)}${taken}`;
}

/** This line is for people; the log has the exact changes. */
const deedsShown = 5;
const removedShown = 20;

function deed({ operation, slug, from }: SectionOperation, now: string | undefined): string {
  const where = slug === undefined ? "the document" : marked(slug);
  const made = from === undefined ? `added ${marked(now)}` : `moved ${marked(from)}`;
  switch (operation) {
    case "replace":
      return `replaced ${where}`;
    case "replace_text":
      return `replaced the text of ${where}`;
    case "append":
      return `appended to ${where}`;
    case "prepend":
      return `prepended to ${where}`;
    case "insert_before":
      return `${made} before ${where}`;
    case "insert_after":
      return `${made} behind ${where}`;
    case "append_child":
      return `${made} in ${where}`;
    case "remove":
      return `removed ${where}`;
    case "rename":
      return `renamed ${where} to ${marked(now)}`;
    default:
      return unreachable(operation);
  }
}

/** A section that a later operation removed again has no name. */
function marked(slug: string | undefined): string {
  return slug === undefined ? "a section" : `#${oneLine(slug, 100)}`;
}

function some(words: readonly string[], shown: number): string {
  const more = words.length > shown ? ` and ${words.length - shown} more` : "";
  return `${words.slice(0, shown).join(", ")}${more}`;
}
