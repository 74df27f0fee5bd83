/**
 * Finds where one JSON value ends, and what is wrong with it, in one pass over the text and without recursion.
 *
 * It runs before `JSON.parse`, which would accept a million levels, keep the last of two equal keys, and accept the key
 * `__proto__`. Strings are skipped (`indexOf` of the quote, then the backslashes before it), so a file of a megabyte
 * costs about as much as a memchr; their escapes are left to `JSON.parse`.
 */
export class JsonScanner {
  readonly #text: string;
  readonly #limits: JsonLimits;
  /**
   * Per level: whether it is an object, and which keys it has had. Reused, because a reply may hold a million objects.
   */
  readonly #isObject: boolean[] = [];
  readonly #keys: KeysSeen[] = [];
  /** There is no newline from `#lineFrom` up to `#lineEnd`: looked up once per line, not once per string. */
  #lineFrom = 0;
  #lineEnd = -1;

  /** The scan under way. */
  #at = 0;
  #want: Want = "value";
  #depth = 0;
  #nodes = 0;
  #lastString = -1;
  #faults: Fault[] = [];

  constructor(text: string, limits: JsonLimits = jsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  /** Scans the value that begins at `from`. What follows its end is not read. */
  scan(from: number): Scan {
    this.#begin(from);
    for (;;) {
      this.#at = skipSpace(this.#text, this.#at);
      const awaited = this.#step(this.#text.charCodeAt(this.#at));
      if (awaited !== undefined) return this.#stopped(from, awaited);
      if (this.#depth === 0) return { complete: true, end: this.#at, faults: this.#faults };
    }
  }

  #begin(from: number): void {
    this.#at = from;
    this.#want = "value";
    this.#depth = 0;
    this.#nodes = 0;
    this.#lastString = -1;
    this.#faults = [];
  }

  #stopped(from: number, awaited: Want): Scan {
    return {
      complete: false,
      at: this.#at,
      want: awaited,
      resumeAt: this.#lastString >= from ? this.#lastString + 1 : Math.max(this.#at, from + 1),
      faults: this.#faults,
    };
  }

  /** Each step goes past one token, or returns what was expected instead of what is at `#at`. */
  #step(char: number): Want | undefined {
    switch (this.#want) {
      case "key":
      case "key-or-end":
        return char === BRACE_CLOSE && this.#want === "key-or-end" ? this.#close() : this.#key(char);
      case "separator":
        return this.#separator(char);
      default:
        return char === BRACKET_CLOSE && this.#want === "value-or-end" ? this.#close() : this.#value(char);
    }
  }

  #key(char: number): Want | undefined {
    if (char !== QUOTE) return this.#want;
    const text = this.#text;
    const from = this.#at;
    const unended = this.#string();
    if (unended !== undefined) return unended;
    const fault = this.#keys[this.#depth]?.take({ text, from, to: this.#at, limits: this.#limits });
    if (fault !== undefined && this.#faults.length < FAULTS_MAX) this.#faults.push(fault);
    this.#at = skipSpace(text, this.#at);
    if (text.charCodeAt(this.#at) !== COLON) return "colon";
    this.#at += 1;
    this.#want = "value";
    return undefined;
  }

  #separator(char: number): Want | undefined {
    const inObject = this.#isObject[this.#depth] === true;
    if (char === (inObject ? BRACE_CLOSE : BRACKET_CLOSE)) return this.#close();
    if (char !== COMMA) return inObject ? "comma-or-brace" : "comma-or-bracket";
    this.#at += 1;
    this.#want = inObject ? "key" : "value";
    return undefined;
  }

  #close(): undefined {
    this.#at += 1;
    this.#depth -= 1;
    this.#want = "separator";
  }

  #value(char: number): Want | undefined {
    this.#nodes += 1;
    if (this.#nodes > this.#limits.nodes) {
      this.#faults.push({ code: "LIMIT_NODES", at: this.#at });
      return this.#want;
    }
    if (char === BRACE_OPEN || char === BRACKET_OPEN) return this.#open(char === BRACE_OPEN);
    const awaited = char === QUOTE ? this.#string() : this.#scalar(char);
    if (awaited === undefined) this.#want = "separator";
    return awaited;
  }

  #open(isObject: boolean): Want | undefined {
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) {
      this.#faults.push({ code: "JSON_TOO_DEEP", at: this.#at });
      return this.#want;
    }
    this.#enter(this.#depth, isObject);
    this.#at += 1;
    this.#want = isObject ? "key-or-end" : "value-or-end";
    return undefined;
  }

  #scalar(char: number): Want | undefined {
    const text = this.#text;
    const at = this.#at;
    const end = scalarEnd(text, at, char);
    if (end === at) return this.#want;
    if (overflows(text, at, end) && this.#faults.length < FAULTS_MAX) {
      this.#faults.push({ code: "JSON_NUMBER_RANGE", at, what: text.slice(at, Math.min(end, at + 40)) });
    }
    this.#at = end;
    return undefined;
  }

  #string(): Want | undefined {
    this.#lastString = this.#at;
    const end = this.#stringEnd(this.#at);
    this.#at = Math.abs(end);
    return end < 0 ? "string-end" : undefined;
  }

  #enter(depth: number, isObject: boolean): void {
    this.#isObject[depth] = isObject;
    if (!isObject) return;
    const keys = this.#keys[depth];
    if (keys === undefined) this.#keys[depth] = new KeysSeen();
    else keys.clear();
  }

  /**
   * The index after the closing quote, or minus the position of the error in the string (never 0: a quote came before).
   */
  #stringEnd(open: number): number {
    const text = this.#text;
    if (open < this.#lineFrom || open > this.#lineEnd) {
      const newline = text.indexOf("\n", open);
      this.#lineFrom = open;
      this.#lineEnd = newline === -1 ? text.length : newline;
    }
    let quote = open;
    for (;;) {
      quote = text.indexOf('"', quote + 1);
      if (quote === -1 || quote > this.#lineEnd) return -this.#lineEnd;
      let backslashes = 0;
      while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
      if (backslashes % 2 === 0) return quote + 1;
    }
  }
}

export interface JsonLimits {
  readonly depth: number;
  readonly nodes: number;
  readonly keyLength: number;
  readonly keysPerObject: number;
}

/** Far above any honest reply; `JSON.stringify` itself would overflow at about 4,000 levels. */
export const jsonLimits: JsonLimits = { depth: 64, nodes: 1_000_000, keyLength: 1_000, keysPerObject: 1_000 };

/** What the scanner expected when it could not continue. */
export type Want =
  | "value"
  | "value-or-end"
  | "key"
  | "key-or-end"
  | "colon"
  | "separator"
  | "comma-or-brace"
  | "comma-or-bracket"
  | "string-end";

/** Something that is well-formed JSON and still refused. */
export interface Fault {
  readonly code:
    | "JSON_TOO_DEEP"
    | "JSON_DUPLICATE_KEY"
    | "JSON_FORBIDDEN_KEY"
    | "JSON_NUMBER_RANGE"
    | "LIMIT_NODES"
    | "LIMIT_KEY"
    | "LIMIT_KEYS";
  readonly at: number;
  readonly what?: string;
}

export type Scan =
  | { readonly complete: true; readonly end: number; readonly faults: readonly Fault[] }
  | {
      readonly complete: false;
      readonly at: number;
      readonly want: Want;
      /**
       * Where a search for another value may continue. Not at the next character, which would then be scanned again for
       * every bracket before it. But inside the last string, because a lone quote in prose may have swallowed a real
       * value's opening brace.
       */
      readonly resumeAt: number;
      readonly faults: readonly Fault[];
    };

/** The keys of one object so far. A few are looked up in a list, which costs no allocation; many in a set. */
class KeysSeen {
  readonly #few: string[] = [];
  #many: Set<string> | undefined;
  #count = 0;

  clear(): void {
    this.#few.length = 0;
    this.#many = undefined;
    this.#count = 0;
  }

  take(token: { text: string; from: number; to: number; limits: JsonLimits }): Fault | undefined {
    const { text, from, to, limits } = token;
    this.#count += 1;
    if (this.#count > limits.keysPerObject) {
      return this.#count === limits.keysPerObject + 1 ? { code: "LIMIT_KEYS", at: from } : undefined;
    }
    const key = unescapeKey(text, from, to, limits.keyLength);
    if (key.length > limits.keyLength) return { code: "LIMIT_KEY", at: from, what: key.slice(0, 40) };
    if (key === "__proto__" || key === "constructor" || key === "prototype") {
      return { code: "JSON_FORBIDDEN_KEY", at: from, what: key };
    }
    return this.#add(key) ? undefined : { code: "JSON_DUPLICATE_KEY", at: from, what: key };
  }

  #add(key: string): boolean {
    if (this.#many !== undefined) {
      if (this.#many.has(key)) return false;
      this.#many.add(key);
      return true;
    }
    if (this.#few.includes(key)) return false;
    this.#few.push(key);
    if (this.#few.length > 16) this.#many = new Set(this.#few);
    return true;
  }
}

/** A key as it will be after parsing. It stays as it is if it is too long to matter, or has an invalid escape. */
function unescapeKey(text: string, from: number, to: number, lengthMax: number): string {
  const raw = text.slice(from + 1, to - 1);
  // The longest escape, \uXXXX, takes six characters for one.
  if (raw.length > 6 * lengthMax || !raw.includes("\\")) return raw;
  try {
    return JSON.parse(text.slice(from, to)) as string;
  } catch {
    return raw;
  }
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const char = text.charCodeAt(at);
    if (char !== 0x20 && char !== 0x0a && char !== 0x0d && char !== 0x09) return at;
    at += 1;
  }
}

/** The end of a number or a literal; `at` itself if it is neither. */
function scalarEnd(text: string, at: number, char: number): number {
  if (char === MINUS || isDigit(char)) return numberEnd(text, at);
  for (const literal of ["true", "false", "null"])
    if (text.startsWith(literal, at)) return at + literal.length;
  return at;
}

function numberEnd(text: string, from: number): number {
  let at = text.charCodeAt(from) === MINUS ? from + 1 : from;
  const leadsWithZero = text.charCodeAt(at) === 0x30;
  const whole = leadsWithZero ? at + 1 : skipDigits(text, at);
  if (whole === at) return from;
  at = whole;
  if (text.charCodeAt(at) === DOT) {
    const fraction = skipDigits(text, at + 1);
    if (fraction === at + 1) return from;
    at = fraction;
  }
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1);
    const digits = at + (sign === MINUS || sign === PLUS ? 2 : 1);
    at = skipDigits(text, digits);
    if (at === digits) return from;
  }
  return isDigit(text.charCodeAt(at)) ? from : at;
}

function skipDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function isDigit(char: number): boolean {
  return char >= 0x30 && char <= 0x39;
}

/** A number needs an exponent or more than 300 digits to exceed the range. */
function overflows(text: string, from: number, to: number): boolean {
  const char = text.charCodeAt(from);
  if (char !== MINUS && !isDigit(char)) return false;
  const token = text.slice(from, to);
  return (token.length > 300 || /e/i.test(token)) && !Number.isFinite(Number(token));
}

const FAULTS_MAX = 100;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BRACKET_OPEN = 0x5b;
const BRACKET_CLOSE = 0x5d;
const BRACE_OPEN = 0x7b;
const BRACE_CLOSE = 0x7d;
