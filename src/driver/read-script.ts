/** Bytes of a script file → the script, or everything that is wrong with it, each with its line. */
import { type Document, isNode, type Node, parseDocument } from "yaml";
import type { z } from "zod";
import { closestName } from "../std/closest-name.ts";
import { grouped } from "../std/counted.ts";
import { placeOf } from "../std/place.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { type Script, scriptShape } from "./script.ts";
import { stepKinds } from "./step.ts";

export type ScriptReading =
  | { readonly script: Script }
  | { readonly problems: readonly [Problem, ...Problem[]] };

/** Scripts are written by hand; one with files in it stays far below. */
const bytesMax = 4 * 1024 * 1024;
const problemsMax = 20;

export function readScript(bytes: Uint8Array): ScriptReading {
  if (bytes.length > bytesMax) {
    const message = `the script has ${grouped(bytes.length)} bytes; the limit is ${grouped(bytesMax)}`;
    return { problems: [bad(message, "Split it over several agents, each with a script of its own.")] };
  }
  const text = decodeUtf8(bytes);
  const parsed = parse(text);
  if ("problems" in parsed) return parsed;
  const shaped = scriptShape.safeParse(parsed.value);
  if (shaped.success) return { script: shaped.data };
  const told = shaped.error.issues.flatMap((issue) => meant(issue, []));
  const [first, ...others] = told.slice(0, problemsMax).map(({ issue, path }) => {
    const line = lineOf(parsed.document, path, text);
    return issueProblem(issue, { path, line, found: at(parsed.value, path) });
  });
  return { problems: [first ?? bad("the script has another shape than expected", shapeHint), ...others] };
}

const shapeHint =
  "A script has `tasks:` (slug, role, a list with one list of steps for each call) and `default:` (the same without the slug).";

function parse(text: string): { document: Document; value: unknown } | { problems: [Problem, ...Problem[]] } {
  try {
    const document = parseDocument(text, { logLevel: "silent" });
    const [error] = document.errors;
    // Aliases that multiply are refused here, by the parser's own limit.
    if (error === undefined) return { document, value: document.toJS() ?? {} };
    const [what = ""] = error.message.split(/ at line \d+|\n/);
    return { problems: [notYaml(`line ${placeOf(text, error.pos[0]).line}: ${oneLine(what)}`)] };
  } catch (error) {
    // Thousands of open brackets exhaust the parser's stack.
    return { problems: [notYaml(oneLine(error instanceof Error ? error.message : String(error)))] };
  }
}

function notYaml(why: string): Problem {
  return bad(
    `the script is neither YAML nor JSON: ${why}`,
    "Put text with : or # in it into quotes, and long text behind `|`.",
  );
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface Told {
  readonly issue: Issue;
  readonly path: Path;
}

/** Of the alternatives that a value does not fit, the one in which it came furthest was meant. */
function meant(issue: Issue, above: Path): Told[] {
  const path = [...above, ...issue.path];
  if (issue.code !== "invalid_union") return [{ issue, path }];
  const alternatives = issue.errors.map((issues) => issues.flatMap((one) => meant(one, path)));
  const depth = (told: readonly Told[]) => Math.max(0, ...told.map((one) => one.path.length));
  const best = alternatives.sort((one, other) => depth(other) - depth(one))[0] ?? [];
  return depth(best) > path.length ? best : [{ issue, path }];
}

interface Found {
  readonly path: Path;
  readonly line: number;
  readonly found: unknown;
}

function issueProblem(issue: Issue, { path, line, found }: Found): Problem {
  const where = `line ${line}${path.length === 0 ? "" : `, ${oneLine(written(path))}`}`;
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const names = path.length === 0 ? ["tasks", "default"] : stepKinds;
    const meant = closestName(key, names);
    const hint = meant === undefined ? `Known here: ${names.join(", ")}.` : `Did you mean ${quote(meant)}?`;
    return bad(`${where}: ${quote(key)} is unknown`, hint);
  }
  if (issue.code === "invalid_union") {
    return bad(`${where}: ${described(found)} fits nothing that may stand here`, shapeHint);
  }
  return bad(`${where}: ${oneLine(issue.message)}`, shapeHint);
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

/** Of the innermost part of the path that stands in the text. */
function lineOf(document: Document, path: Path, text: string): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    const offset = isNode(node) ? (node as Node).range?.[0] : undefined;
    if (offset !== undefined) return placeOf(text, offset).line;
  }
  return 1;
}

function bad(message: string, hint: string): Problem {
  return { code: "SCRIPT_BAD", message, hint };
}
