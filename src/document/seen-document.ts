/**
 * What a client knows of one document: for each section, the hash of its own text and the list of its sub-sections.
 *
 * The client's own writes are kept as the document before and after, and parsed only when needed: a hundred consecutive
 * steps in a long list cost nothing until then.
 */
import type { Span } from "../plan/plan.ts";
import { sha256 } from "../world/files/hash.ts";
import type { Document } from "./document.ts";

interface Known {
  /** The hash of the text below the heading, up to the first sub-section. */
  readonly text: string;
  /** The slugs of its sub-sections. */
  readonly inside: string;
}

export class SeenDocument {
  #sections = new Map<string, Known>();
  #written: { readonly before: Document | undefined; readonly after: Document } | undefined;
  #length = 0;

  /** The length of the latest version it was given. */
  get length(): number {
    return this.#length;
  }

  shown(document: Document, { start, end }: Span): void {
    this.#settle();
    this.#length = document.length;
    for (const part of partsOf(document)) {
      if (part.start < end && part.end > start) this.#sections.set(part.slug, part.known());
    }
  }

  wrote(before: Document | undefined, after: Document): void {
    const last = this.#written;
    const goesOn = last !== undefined && before !== undefined && isSame(last.after, before);
    if (!goesOn) this.#settle();
    this.#written = { before: goesOn ? last.before : before, after };
    this.#length = after.length;
  }

  isChanged(
    document: Document,
    { whole, isTextOnly }: { readonly whole: Span; readonly isTextOnly: boolean },
  ): boolean {
    this.#settle();
    const inside = partsOf(document).filter(({ start, end }) => start >= whole.start && end <= whole.end);
    return inside.slice(0, isTextOnly ? 1 : undefined).some((part) => {
      const known = this.#sections.get(part.slug);
      if (!known) return false;
      const now = part.known();
      return known.text !== now.text || (!isTextOnly && known.inside !== now.inside);
    });
  }

  /** Takes in what the client wrote, except in sections that somebody else had changed before and it has not seen. */
  #settle(): void {
    const written = this.#written;
    if (!written) return;
    this.#written = undefined;
    const before = new Map(
      (written.before ? partsOf(written.before) : []).map((part) => [part.slug, part.known()]),
    );
    const parts = partsOf(written.after).map((part) => ({ slug: part.slug, now: part.known() }));
    const stays = new Set(parts.map(({ slug }) => slug));
    // A section with a new title is still the same section.
    const renamed = new Map(
      [...before].flatMap(([slug, { text }]) => (stays.has(slug) ? [] : [[text, slug]])),
    );
    const sections = new Map<string, Known>();
    for (const { slug, now } of parts) {
      const old = before.has(slug) ? slug : (renamed.get(now.text) ?? slug);
      const was = before.get(old);
      const known = this.#sections.get(old);
      const isTouched = !was || !isEqual(was, now);
      const isStale = was !== undefined && known !== undefined && !isEqual(was, known);
      if (isTouched && !isStale) sections.set(slug, now);
      else if (known) sections.set(slug, known);
    }
    this.#sections = sections;
  }
}

interface Part extends Span {
  readonly slug: string;
  known(): Known;
}

/** The text before the first heading, which has no slug, and every section with its own text. */
function partsOf(document: Document): Part[] {
  const { all, begin } = document.sections;
  const inside = new Map<string, string[]>();
  for (const { slug, parent = "" } of all) {
    const beside = inside.get(parent);
    if (beside) beside.push(slug);
    else inside.set(parent, [slug]);
  }
  const partOf = (slug: string, { start, below, end }: Span & { readonly below: number }): Part => ({
    slug,
    start,
    end,
    known: () => ({
      // Every edit next to it moves the blank lines at its ends.
      text: sha256(document.slice(below, end).trim()).slice(0, 20),
      inside: (inside.get(slug) ?? []).join(" "),
    }),
  });
  return [
    partOf("", { start: begin, below: begin, end: all[0]?.whole.start ?? document.length }),
    ...all.map(({ slug, whole, below, ownEnd }) => partOf(slug, { start: whole.start, below, end: ownEnd })),
  ];
}

function isEqual(one: Known, other: Known): boolean {
  return one.text === other.text && one.inside === other.inside;
}

function isSame(one: Document, other: Document): boolean {
  return one === other || (one.length === other.length && one.hash === other.hash);
}
