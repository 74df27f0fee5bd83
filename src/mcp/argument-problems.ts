/** Turns invalid tool arguments into problems, all at once: where, what was found, and what to write instead. */
import type { z } from "zod";
import { describe, fieldName, type Issue } from "../reply/check/issue.ts";
import { closestName } from "../std/closest-name.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { isJsonObject } from "./stdio/read-message.ts";
import { type JsonSchema, propertiesAt } from "./tool-listing.ts";

export interface ToolCallSubject {
  readonly tool: string;
  readonly given: unknown;
  /** The schema of the arguments as clients see it. */
  readonly schema: JsonSchema;
  /** For words that are not among the choices: what to call instead. */
  readonly instead?: Readonly<Record<string, string>> | undefined;
}

export function argumentProblems(error: z.ZodError, subject: ToolCallSubject): readonly Problem[] {
  const problems = error.issues.flatMap((issue) => issueProblems(issue, [], subject));
  return problems.slice(0, problemsMax);
}

/** Enough to correct a call; a list of ten thousand wrong entries is not reported in full. */
const problemsMax = 50;

function issueProblems(
  issue: Issue,
  above: readonly PropertyKey[],
  subject: ToolCallSubject,
): readonly Problem[] {
  const path = [...above, ...issue.path];
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(path, key, subject));
  const found = valueAt(subject.given, path);
  const field = fieldName(path);
  const name = field === "" ? "arguments" : field;
  if (issue.code === "invalid_union") {
    const nearest = nearestBranch(issue.errors);
    if (found !== undefined && nearest)
      return nearest.flatMap((inner) => issueProblems(inner, path, subject));
  }
  const expected = expectation(issue);
  if (found === undefined) {
    const hint = `Add it: ${expected}.`;
    return [{ code: "SCHEMA_REQUIRED", message: `${subject.tool}: ${name} is missing`, hint, field: name }];
  }
  const message = `${subject.tool}: ${name} is ${describe(found)}; expected ${expected}`;
  return [{ code: codeOf(issue), message, hint: hintFor(issue, found, subject), field: name }];
}

function unknownKey(path: readonly PropertyKey[], key: string, { tool, schema }: ToolCallSubject): Problem {
  const known = propertiesAt(schema, path);
  const near = closestName(key, known);
  const field = fieldName([...path, key]);
  const others =
    known.length > 0
      ? `Leave it out. Known here: ${known.join(", ")}.`
      : "Leave it out: there are no arguments.";
  return {
    code: "SCHEMA_UNKNOWN_KEY",
    message: `${tool}: ${field} is not an argument of this tool`,
    hint: near === undefined ? others : `Did you mean ${near}? Otherwise leave it out.`,
    field,
  };
}

/** If a value may have several forms: the one it comes closest to. A word that is not among the choices counts most. */
function nearestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const cost = (issues: readonly Issue[]) =>
    issues.reduce(
      (sum, { code, path }) =>
        sum + (code === "invalid_value" || (code === "invalid_type" && path.length === 0) ? 10 : 1),
      0,
    );
  return [...branches].sort((one, other) => cost(one) - cost(other))[0];
}

function codeOf({ code }: Issue): string {
  if (code === "invalid_value") return "SCHEMA_ENUM";
  return code === "invalid_type" || code === "invalid_union" ? "SCHEMA_TYPE" : "SCHEMA_RANGE";
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? `a ${issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? oneLine(JSON.stringify(issue.values[0]), 100)
        : `one of ${oneLine(issue.values.join(", "), 400)}`;
    case "too_small":
      return issue.origin === "array"
        ? `a list of at least ${issue.minimum}`
        : issue.origin === "string"
          ? issue.minimum === 1
            ? "a text that is not empty"
            : `a text of at least ${issue.minimum} characters`
          : `a number of at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "array"
        ? `a list of at most ${issue.maximum}`
        : issue.origin === "string"
          ? `a text of at most ${issue.maximum} characters`
          : `a number of at most ${issue.maximum}`;
    default:
      return oneLine(issue.message, 200);
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list ([…])",
  object: "an object ({…})",
};

function hintFor(issue: Issue, found: unknown, { instead }: ToolCallSubject): string {
  const other =
    issue.code === "invalid_value" && typeof found === "string" && Object.hasOwn(instead ?? {}, found)
      ? instead?.[found]
      : undefined;
  return other ?? `Write ${expectation(issue)}.${meant(issue, found)}`;
}

function meant(issue: Issue, found: unknown): string {
  if (issue.code !== "invalid_value" || typeof found !== "string") return "";
  const near = closestName(found, issue.values.map(String));
  return near === undefined ? "" : ` Did you mean ${near}?`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (Array.isArray(at)) at = at[Number(part)];
    else if (isJsonObject(at) && Object.hasOwn(at, part)) at = at[String(part)];
    else return undefined;
  }
  return at;
}
