/**
 * Loads what a text refers to, and what that refers to in turn, up to a depth and a size.
 *
 * Closer references come first and share the available space. Each section is loaded once. A cycle is cut and reported.
 * A missing target is reported with what was probably meant. What did not fit is listed, to be read with view_document.
 */
import type { Span } from "../../plan/plan.ts";
import { utf8Length } from "../../std/utf8.ts";
import { type Address, addressText, type DocumentPath } from "../address.ts";
import type { Document } from "../document.ts";
import { findDocument, findPart, nearestDocuments, nearestParts } from "../find-document.ts";
import type { Library } from "../store.ts";
import { beginningOf } from "../text/beginning.ts";
import { type Link, linksOf, referencesIn } from "./links.ts";
import { shareRoom } from "./share-room.ts";

export interface ReferenceLimits {
  /** 1 means only what the text itself refers to. */
  readonly depth?: number;
  /** The limit for all texts together, in UTF-8 bytes. */
  readonly bytes?: number;
  /** Where the text comes from, so that a reference back to it is recognised as a cycle. */
  readonly from?: Address;
}

export interface LoadedReferences {
  readonly loaded: readonly LoadedReference[];
  readonly missing: readonly MissingReference[];
  /** `/a.md → /b.md → /a.md`. */
  readonly cycles: readonly string[];
  /** Addresses that are too deep or did not fit. */
  readonly leftOut: readonly string[];
}

export interface LoadedReference {
  /** `/a.md#b`. */
  readonly document: string;
  readonly title: string;
  readonly text: string;
  readonly depth: number;
  /** Only its beginning fitted. */
  readonly isCut: boolean;
  /** Where the rest begins, for view_document. */
  readonly next?: number;
}

export interface MissingReference {
  /** As written. */
  readonly reference: string;
  readonly why: string;
  /** Addresses. */
  readonly nearest: readonly string[];
}

const usualDepth = 3;
/** About ten thousand tokens: a task should not cost more to start than to do. */
const usualBytes = 40_000;
const namedMax = 100;
/** Far more than fits. A text that refers to everything must not make us read everything. */
const placesMax = 200;

export function loadReferences(
  library: Library,
  text: string,
  limits: ReferenceLimits = {},
): LoadedReferences {
  const loading = new ReferenceLoader(library, limits);
  loading.follow(referencesIn(outdented(text)), loading.start(limits.from));
  loading.run();
  return loading;
}

/** A part of a document that is loaded, or lies on the way to one that is. */
interface Place {
  readonly document: Document;
  readonly whole: Span;
  readonly address: string;
  readonly title: string;
}

class ReferenceLoader implements LoadedReferences {
  readonly loaded: LoadedReference[] = [];
  readonly missing: MissingReference[] = [];
  readonly cycles: string[] = [];
  readonly leftOut: string[] = [];
  readonly #given = new Map<DocumentPath, Place[]>();
  readonly #named = new Set<string>();
  readonly #queue: { readonly link: Link; readonly chain: readonly Place[]; readonly depth: number }[] = [];
  readonly #found: { readonly place: Place; readonly depth: number; readonly bytes: number }[] = [];
  /** Parts that were requested on their own but lie inside another loaded part, provided it is not cut before them. */
  readonly #covered: { readonly place: Place; readonly container: Place }[] = [];
  readonly #depth: number;
  readonly #bytes: number;

  constructor(
    private readonly library: Library,
    { depth = usualDepth, bytes = usualBytes }: ReferenceLimits,
  ) {
    this.#depth = depth;
    this.#bytes = bytes;
  }

  start(from: Address | undefined): { chain: readonly Place[]; depth: number } {
    const found = from && this.#find(from);
    return { chain: found && "document" in found ? [found] : [], depth: 1 };
  }

  follow(links: readonly Link[], { chain, depth }: { chain: readonly Place[]; depth: number }): void {
    for (const link of links) this.#queue.push({ link, chain, depth });
  }

  run(): void {
    for (let at = 0; at < this.#queue.length; at += 1) {
      const next = this.#queue[at];
      if (next) this.#take(next.link, next);
    }
    this.#giveOut();
  }

  #take(link: Link, { chain, depth }: { chain: readonly Place[]; depth: number }): void {
    const place = this.#resolve(link);
    if (!place) return;
    const around = chain.findIndex((each) => isInside(place, each));
    if (around !== -1) {
      // A document that refers to its own section is harmless; one that its own references lead back to is a cycle.
      const isOwnPart = around === chain.length - 1 && chain[around]?.address !== place.address;
      if (!isOwnPart)
        this.#name(this.cycles, [...chain.slice(around), place].map(({ address }) => address).join(" → "));
      return;
    }
    const given = this.#given.get(place.document.path) ?? [];
    const container = given.find((each) => isInside(place, each));
    if (container) {
      this.#covered.push({ place, container });
      return;
    }
    if (depth > this.#depth) this.#name(this.leftOut, place.address);
    else if (this.#found.length >= placesMax) this.#name(this.leftOut, place.address);
    else this.#keep(place, { chain, depth, given });
  }

  #keep(
    place: Place,
    { chain, depth, given }: { chain: readonly Place[]; depth: number; given: readonly Place[] },
  ): void {
    // Anything beyond the total limit need not be counted.
    const bytes = utf8Length(textOf(place, given).text.slice(0, this.#bytes + 1));
    this.#found.push({ place, depth, bytes });
    this.#given.set(place.document.path, [...given, place]);
    const { start, end } = place.whole;
    const links = linksOf(place.document).filter(
      ({ at, written }) => written === "reference" && at.start >= start && at.start < end,
    );
    this.follow(links, { chain: [...chain, place], depth: depth + 1 });
  }

  #giveOut(): void {
    const rooms = shareRoom(this.#found, this.#bytes);
    this.#given.clear();
    for (const [at, { place, depth }] of this.#found.entries()) {
      const { document, address, title } = place;
      const given = this.#given.get(document.path) ?? [];
      const whole = textOf(place, given);
      const { text, isCut } = beginningOf(whole.text, rooms[at] ?? 0);
      if (text === "" && whole.text !== "") {
        this.#name(this.leftOut, address);
        continue;
      }
      this.#given.set(document.path, [...given, place]);
      const next = isCut && whole.start !== undefined ? { next: whole.start + text.length } : {};
      this.loaded.push({ document: address, title, text, depth, isCut, ...next });
    }
    for (const { place, container } of this.#covered) {
      const { isCut, next = 0 } = this.loaded.find(({ document }) => document === container.address) ?? {};
      if (isCut !== false && place.whole.end > next) this.#name(this.leftOut, place.address);
    }
  }

  #resolve(link: Link): Place | undefined {
    const found = link.path
      ? this.#find({ path: link.path, ...(link.slug !== undefined && { slug: link.slug }) })
      : { why: link.problem?.message ?? "it names no document", nearest: [] };
    if ("document" in found) return found;
    if (!this.#named.has(link.spelled) && this.missing.length < namedMax) {
      this.#named.add(link.spelled);
      this.missing.push({ reference: link.spelled, ...found });
    }
    return undefined;
  }

  #find({ path, slug }: Address): Place | { readonly why: string; readonly nearest: readonly string[] } {
    const found = findDocument(this.library, path);
    if ("problem" in found)
      return { why: found.problem.message, nearest: nearestDocuments(this.library, path) };
    const { document } = found;
    if (slug === undefined) {
      const whole = { start: document.sections.begin, end: document.length };
      return { document, whole, address: path, title: document.sections.all[0]?.title ?? "" };
    }
    const part = findPart(document, slug);
    if ("problem" in part) {
      const nearest = nearestParts(document, slug).map((each) => addressText({ path, slug: each }));
      return { why: part.problem.message, nearest };
    }
    const { whole, title } = part.part;
    return { document, whole, address: addressText({ path, slug: part.part.slug }), title };
  }

  #name(names: string[], name: string): void {
    if (names.length < namedMax && !names.includes(name)) names.push(name);
  }
}

function isInside(one: Place, other: Place): boolean {
  return (
    one.document.path === other.document.path &&
    one.whole.start >= other.whole.start &&
    one.whole.end <= other.whole.end
  );
}

/** Leaves out what was already loaded. `start` is where the text begins, if it is one contiguous part. */
function textOf(
  { document, whole }: Place,
  given: readonly Place[],
): { readonly text: string; readonly start?: number } {
  const inside = given
    .filter((each) => each.whole.start >= whole.start && each.whole.end <= whole.end)
    .toSorted((one, other) => one.whole.start - other.whole.start);
  let text = "";
  let at = whole.start;
  for (const each of inside) {
    if (each.whole.start < at) continue;
    text += `${document.slice(at, each.whole.start)}(${each.address} is given above)\n\n`;
    at = each.whole.end;
  }
  const rest = document.slice(at, whole.end);
  if (inside.length > 0) return { text: (text + rest).trim() };
  return { text: rest.trim(), start: whole.end - rest.trimStart().length };
}

/** The text of a short task is indented as a whole and would otherwise be read as code. */
function outdented(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const least = lines.reduce((least, line) => Math.min(least, line.search(/[^ ]/)), text.length);
  return least === 0 ? text : text.replace(new RegExp(`^ {1,${least}}`, "gm"), "");
}
