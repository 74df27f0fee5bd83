/**
 * Reads the bytes of a hand-written YAML or JSON file as a value of the expected shape. Returns the value, or
 * everything that is wrong with it, each problem with its line.
 */
import { type Document, isNode, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { closestName } from "./closest-name.ts";
import { grouped } from "./counted.ts";
import { placeOf } from "./place.ts";
import { oneLine, quote } from "./printable.ts";
import type { Problem } from "./problem.ts";
import { decodeUtf8 } from "./utf8.ts";

export type Shaped<T> = { readonly value: T } | { readonly problems: readonly [Problem, ...Problem[]] };

export interface ShapeOptions<T> {
  readonly shape: z.ZodType<T>;
  /** How problems name the file: `the script`. */
  readonly what: string;
  readonly code: string;
  readonly bytesMax: number;
  readonly tooLongHint: string;
  /** A sentence on what such a file looks like. */
  readonly shapeHint: string;
  /** The keys that are allowed at a place where an unknown one was found. */
  keysAt(path: readonly PropertyKey[]): readonly string[];
}

const problemsMax = 20;

export function readShapedYaml<T>(bytes: Uint8Array, wanted: ShapeOptions<T>): Shaped<T> {
  const { what, code, bytesMax, shapeHint } = wanted;
  if (bytes.length > bytesMax) {
    const message = `${what} has ${grouped(bytes.length)} bytes; the limit is ${grouped(bytesMax)}`;
    return { problems: [{ code, message, hint: wanted.tooLongHint }] };
  }
  const text = decodeUtf8(bytes);
  const parsed = parse(text);
  if ("why" in parsed) {
    const message = `${what} is neither YAML nor JSON: ${parsed.why}`;
    const hint = "Put text with : or # in it into quotes, and long text behind `|`.";
    return { problems: [{ code, message, hint }] };
  }
  const shaped = wanted.shape.safeParse(parsed.value);
  if (shaped.success) return { value: shaped.data };
  const issues = shaped.error.issues.flatMap((issue) => meant(issue, []));
  const [first, ...others] = issues.slice(0, problemsMax).map(({ issue, path }) => {
    const line = lineOf(parsed.document, path, text);
    return issueProblem(issue, { path, line, found: at(parsed.value, path) }, wanted);
  });
  const other = { code, message: `${what} has another shape than expected`, hint: shapeHint };
  return { problems: [first ?? other, ...others] };
}

function parse(text: string): { document: Document; value: unknown } | { why: string } {
  try {
    const document = parseDocument(text, { logLevel: "silent" });
    const [error] = document.errors;
    // The parser's own limit refuses aliases that multiply here.
    if (error === undefined) return { document, value: document.toJS() ?? {} };
    const [what = ""] = error.message.split(/ at line \d+|\n/);
    return { why: `line ${placeOf(text, error.pos[0]).line}: ${oneLine(what)}` };
  } catch (error) {
    // Thousands of open brackets exhaust the parser's stack.
    return { why: oneLine(error instanceof Error ? error.message : String(error)) };
  }
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface MeantIssue {
  readonly issue: Issue;
  readonly path: Path;
}

/** If a value fits no alternative of a union, the alternative that it matched most deeply was meant. */
function meant(issue: Issue, above: Path): MeantIssue[] {
  const path = [...above, ...issue.path];
  if (issue.code !== "invalid_union") return [{ issue, path }];
  const alternatives = issue.errors.map((issues) => issues.flatMap((one) => meant(one, path)));
  const depth = (issues: readonly MeantIssue[]) => Math.max(0, ...issues.map((one) => one.path.length));
  const best = alternatives.sort((one, other) => depth(other) - depth(one))[0] ?? [];
  return depth(best) > path.length ? best : [{ issue, path }];
}

interface Found {
  readonly path: Path;
  readonly line: number;
  readonly found: unknown;
}

function issueProblem<T>(issue: Issue, { path, line, found }: Found, wanted: ShapeOptions<T>): Problem {
  const { code, shapeHint, keysAt } = wanted;
  const where = `line ${line}${path.length === 0 ? "" : `, ${oneLine(written(path))}`}`;
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const names = keysAt(path);
    const near = closestName(key, names);
    const hint = near === undefined ? `Known here: ${names.join(", ")}.` : `Did you mean ${quote(near)}?`;
    return { code, message: `${where}: ${quote(key)} is unknown`, hint };
  }
  if (issue.code === "invalid_union") {
    return {
      code,
      message: `${where}: ${described(found)} fits nothing that is allowed here`,
      hint: shapeHint,
    };
  }
  return { code, message: `${where}: ${oneLine(issue.message)}`, hint: shapeHint };
}

function written(path: Path): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}

function described(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === null) return "an empty value";
  return Array.isArray(value) ? "a list" : typeof value === "object" ? "a mapping" : String(value);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null)?.[key], value);
}

/** The line of the innermost part of the path that is in the text. */
function lineOf(document: Document, path: Path, text: string): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    const offset = isNode(node) ? (node as Node).range?.[0] : undefined;
    if (offset !== undefined) return placeOf(text, offset).line;
  }
  return 1;
}
