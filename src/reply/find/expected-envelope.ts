/**
 * What to look for in a developer's reply in a turn of a run: the same object as for `cox apply`. Here it may lack
 * operations, because changes are captured at the desk or because a signal says why there are none.
 */

import { type Verdict, validate } from "../check/validate.ts";
import { openEnvelopeShape } from "../schema.ts";
import type { ExpectedObject } from "./expected-object.ts";
import { expectedOperations } from "./expected-operations.ts";

export const expectedEnvelope: ExpectedObject = {
  mentions: ["file_operations", "specialist_summary", '"signal"'],
  look({ source, value }) {
    const isOne =
      value === undefined ? looksLikeEnvelope(source) : isEnvelope(value) || triesOperations(value);
    return { carries: isOne, resembles: isOne };
  },
  isSound: (value) => validateEnvelope(value).reply !== undefined,
  isEmpty: () => false,
  words: {
    ...expectedOperations.words,
    two: "answers",
    one: "one answer with everything in it",
  },
};

/** Operations may be omitted, but they may not be in the wrong place. */
export function validateEnvelope(value: unknown): Verdict {
  return validate(value, { needsOperations: !isEnvelope(value) || misplacesOperations(value) });
}

/** The text is not valid JSON, but was meant to be a reply object. */
function looksLikeEnvelope(source: string): boolean {
  return (
    source.includes('"file_operations"') ||
    source.includes('"specialist_summary"') ||
    (source.includes('"file_path"') && source.includes('"operation"'))
  );
}

/** It has a name that only we use, or all of its names are ours. */
function isEnvelope(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (Object.hasOwn(value, "file_operations") || Object.hasOwn(value, "specialist_summary")) return true;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => Object.hasOwn(openEnvelopeShape.shape, key));
}

function misplacesOperations(value: unknown): boolean {
  return !Object.hasOwn(value as object, "file_operations") && triesOperations(value);
}

/** It contains an operation, or a list of them, at some level. Parsed values are at most 64 levels deep. */
function triesOperations(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Object.hasOwn(value, "file_operations")) return true;
  if (Object.hasOwn(value, "file_path") && Object.hasOwn(value, "operation")) return true;
  return Object.values(value).some(triesOperations);
}
