/** Turns the schema library's issues into problems in our words: where, what was found, what to write. */
import type { z } from "zod";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { suggestField } from "./suggest-field.ts";

export type Issue = z.core.$ZodIssue;

export interface IssueSubject {
  /** The value that was checked. */
  readonly value: unknown;
  /** Its position in `file_operations`, if it is an operation. */
  readonly index?: number;
  /** The keys that the object at a path may have, to guess what an unknown key means. */
  readonly keysAt: (path: readonly PropertyKey[]) => readonly string[];
}

export function issueProblems(issue: Issue, subject: IssueSubject): Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey([...issue.path, key], subject));
  }
  const field = fieldName(issue.path);
  const at = { ...(subject.index !== undefined && { index: subject.index }), ...(field !== "" && { field }) };
  const found = valueAt(subject.value, issue.path);
  const name = fieldNameOf(subject, field);
  const expected = expectation(issue);
  if (!found.there) {
    return [{ code: "SCHEMA_REQUIRED", message: `${name} is missing`, hint: `Add it: ${expected}.`, ...at }];
  }
  const shown = describe(found.value);
  switch (issue.code) {
    case "invalid_value":
      if (typeof found.value !== "string") return [wrongType(name, expected, shown, at)];
      return [
        {
          code: "SCHEMA_ENUM",
          message: `${name} is ${shown}, not one of ${issue.values.join(", ")}`,
          hint:
            field === "operation"
              ? `Write exactly one of: ${issue.values.join(", ")} (lower case, no spaces). A reply can do nothing else.`
              : `Write exactly one of: ${issue.values.join(", ")}; upper and lower case matter.`,
          ...at,
        },
      ];
    case "too_small":
      if (field.endsWith("old_string")) {
        return [
          {
            code: "OPS_EMPTY_FIND",
            message: `${name} is empty: an empty text matches everywhere`,
            hint: "Copy the text to be replaced from the file, with enough of its surroundings to be unique.",
            ...at,
          },
        ];
      }
      return [outOfRange(name, expected, shown, at)];
    case "too_big":
    case "invalid_format":
      return [outOfRange(name, expected, shown, at)];
    default:
      return [wrongType(name, expected, shown, at)];
  }
}

/** An unknown key, with what was probably meant. */
export function unknownKey(path: readonly PropertyKey[], subject: IssueSubject): Problem {
  const key = String(path.at(-1));
  const known = subject.keysAt(path.slice(0, -1));
  const meant = suggestField(key, known);
  const field = fieldName(path);
  return {
    code: "SCHEMA_UNKNOWN_KEY",
    message: `${fieldNameOf(subject, field)} is not a field of the reply format`,
    hint:
      meant === undefined
        ? `Leave it out. Known here: ${known.join(", ")}.`
        : `Did you mean ${meant}? Otherwise leave it out.`,
    ...(subject.index !== undefined && { index: subject.index }),
    field,
  };
}

/** A path as a reader would write it: `edits[1].old_string`. */
export function fieldName(path: readonly PropertyKey[]): string {
  let name = "";
  for (const part of path) {
    if (typeof part === "number") name += `[${part}]`;
    else name += (name === "" ? "" : ".") + oneLine(String(part), 40);
  }
  return name;
}

/** `operation 3: edits[1].old_string`, counted from 0 like the problem's index. */
export function fieldNameOf(subject: Pick<IssueSubject, "index">, field: string): string {
  if (subject.index === undefined) return field === "" ? "the reply" : field;
  return `file_operations[${subject.index}]${field === "" ? "" : `.${field}`}`;
}

/** Describes a value in a few words that are safe to print. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "string") return value === "" ? "empty" : quote(value, 40);
  if (typeof value === "object") return "an object";
  return oneLine(String(value), 40);
}

type At = Pick<Problem, "index" | "field">;

function wrongType(name: string, expected: string, shown: string, at: At): Problem {
  return {
    code: "SCHEMA_TYPE",
    message: `${name} is ${shown}, not ${expected}`,
    hint: `Write ${expected}.`,
    ...at,
  };
}

function outOfRange(name: string, expected: string, shown: string, at: At): Problem {
  return {
    code: "SCHEMA_RANGE",
    message: `${name} is ${shown}; it must be ${expected}`,
    hint: `Write ${expected}.`,
    ...at,
  };
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] ?? `a ${issue.expected}`;
    case "invalid_value":
      return `one of ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "array") return "a list with at least one entry";
      if (issue.origin === "int" || issue.origin === "number") return wholeNumber;
      return issue.minimum === 1
        ? "a text that is not empty"
        : `a text of ${issue.minimum} characters or more`;
    case "too_big":
      return issue.origin === "array"
        ? `a list of at most ${issue.maximum} entries`
        : `a text of at most ${issue.maximum} characters`;
    case "invalid_format":
      return "64 hexadecimal digits, the SHA-256 of the file you saw";
    default:
      return "something else";
  }
}

const wholeNumber = "a whole number from 1";

const typeNames: Readonly<Record<string, string>> = {
  number: wholeNumber,
  int: wholeNumber,
  string: 'a text in double quotes ("…")',
  boolean: "true or false",
  array: "a list ([…])",
  object: "an object ({…})",
};

function valueAt(value: unknown, path: readonly PropertyKey[]): { there: boolean; value: unknown } {
  let at: unknown = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part))
      return { there: false, value: undefined };
    at = (at as Record<PropertyKey, unknown>)[part];
  }
  return { there: true, value: at };
}
