/**
 * Reads JSON settings, which may have comments and trailing commas, as a tree of places: for edits that change one entry
 * and leave every other byte alone. It produces no values; a caller that needs one parses that piece.
 */
import type { Span } from "../../plan/plan.ts";

export interface JsonPlace {
  readonly kind: "object" | "other";
  readonly at: Span;
  /** The members of an object, in order. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  readonly name: Span;
  readonly value: JsonPlace;
}

/** Undefined if it is not JSON, even with these extensions. */
export function readJsonPlaces(text: string): JsonPlace | undefined {
  try {
    const reader = new Reader(text);
    const place = reader.value(0);
    reader.skip();
    return reader.at === text.length ? place : undefined;
  } catch (error) {
    if (error instanceof NoJson) return undefined;
    throw error;
  }
}

class NoJson extends Error {}

const depthMax = 100;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

class Reader {
  at: number;

  constructor(private readonly text: string) {
    this.at = text.startsWith("\ufeff") ? 1 : 0;
  }

  value(depth: number): JsonPlace {
    this.skip();
    if (depth > depthMax) throw new NoJson();
    if (this.text[this.at] === "{") return this.object(depth);
    if (this.text[this.at] === "[") return this.list(depth);
    const start = this.at;
    if (!this.take(string) && !this.take(literal)) throw new NoJson();
    return { kind: "other", at: { start, end: this.at }, members: [] };
  }

  skip(): void {
    this.take(blank);
  }

  private object(depth: number): JsonPlace {
    const start = this.at;
    const members: JsonMember[] = [];
    this.items("}", () => {
      const from = this.at;
      if (!this.take(string)) throw new NoJson();
      const name = { start: from, end: this.at };
      this.skip();
      this.expect(":");
      const value = this.value(depth + 1);
      members.push({ key: JSON.parse(this.text.slice(name.start, name.end)), name, value });
    });
    return { kind: "object", at: { start, end: this.at }, members };
  }

  private list(depth: number): JsonPlace {
    const start = this.at;
    this.items("]", () => this.value(depth + 1));
    return { kind: "other", at: { start, end: this.at }, members: [] };
  }

  /** Reads from the opening bracket to after the closing one; a comma may follow the last item. */
  private items(close: string, item: () => void): void {
    this.at += 1;
    for (this.skip(); this.text[this.at] !== close; this.skip()) {
      item();
      this.skip();
      if (this.text[this.at] !== close) this.expect(",");
    }
    this.at += 1;
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw new NoJson();
    this.at += 1;
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return false;
    this.at = pattern.lastIndex;
    return found[0] !== "";
  }
}
