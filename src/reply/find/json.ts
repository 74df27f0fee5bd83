/**
 * Strict JSON for text that somebody else wrote: what `JSON.parse` accepts, except what would surprise us later
 * (duplicate keys, keys that reach the prototype, endless depth, numbers that become Infinity).
 */
import { grouped } from "../../std/counted.ts";
import { placeOf } from "../../std/place.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type Fault, type JsonLimits, JsonScanner, jsonLimits, type Scan, skipSpace } from "./scan.ts";
import { badCharacterInString, syntaxProblem } from "./syntax.ts";

export type Parsed = { readonly value: unknown } | { readonly problems: readonly Problem[] };

/** The single value that `text` holds, with only white space around it. */
export function parseJson(text: string, limits: JsonLimits = jsonLimits): Parsed {
  const from = skipSpace(text, 0);
  const scan = new JsonScanner(text, limits).scan(from);
  if (scan.complete) {
    const rest = skipSpace(text, scan.end);
    if (rest < text.length) return { problems: [syntaxProblem(text, rest, "end")] };
  }
  return parseScanned(text, from, scan, limits);
}

/** The value that begins at `from`, after it was scanned. */
export function parseScanned(
  text: string,
  from: number,
  scan: Scan,
  limits: JsonLimits = jsonLimits,
): Parsed {
  const problems = scan.faults.map((fault) => faultProblem(text, fault, limits));
  if (!scan.complete) {
    // If a limit ended the scan, the text itself may be flawless.
    const ended = scan.faults.some((fault) => fault.at === scan.at);
    return { problems: ended ? problems : [...problems, syntaxProblem(text, scan.at, scan.want)] };
  }
  if (problems.length > 0) return { problems };
  try {
    return { value: JSON.parse(text.slice(from, scan.end)) };
  } catch {
    return { problems: [syntaxProblem(text, badCharacterInString(text, from, scan.end), "string-end")] };
  }
}

function faultProblem(text: string, fault: Fault, limits: JsonLimits): Problem {
  const { line, column } = placeOf(text, fault.at);
  const [message, hint] = explained(fault, `at line ${line}, column ${column}`, limits);
  return { code: fault.code, message, hint };
}

function explained(
  { code, what = "" }: Fault,
  where: string,
  limits: JsonLimits,
): [message: string, hint: string] {
  switch (code) {
    case "JSON_TOO_DEEP":
      return [
        `the JSON is nested more than ${limits.depth} levels deep ${where}`,
        "A reply needs five levels: leave out what is nested deeper.",
      ];
    case "JSON_DUPLICATE_KEY":
      return [
        `the key ${quote(what, 40)} occurs twice in one object, again ${where}`,
        "Keep one of the two: programs differ on which of them would count.",
      ];
    case "JSON_FORBIDDEN_KEY":
      return [
        `the key ${quote(what, 40)} ${where} is not allowed: it could reach into the program's own objects`,
        "Leave the key out; no reply needs it. Inside a file's content the word is fine.",
      ];
    case "JSON_NUMBER_RANGE":
      return [
        `the number ${oneLine(what, 40)} ${where} is too large and would become Infinity`,
        "Write a number below 1.8e308, or put it into a string.",
      ];
    case "LIMIT_NODES":
      return [
        `the JSON holds more than ${grouped(limits.nodes)} values, the limit is reached ${where}`,
        "Put file contents into strings, and split the work over several replies.",
      ];
    case "LIMIT_KEY":
      return [
        `the key ${quote(what, 40)}… ${where} is longer than ${grouped(limits.keyLength)} characters`,
        "Keys are the names of the reply format; contents belong in values.",
      ];
    case "LIMIT_KEYS":
      return [
        `an object has more than ${grouped(limits.keysPerObject)} keys, the limit is reached ${where}`,
        "Use a list of objects instead of one object with many keys.",
      ];
  }
}
