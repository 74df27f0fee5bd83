/**
 * What a turn of a run looks for in a developer's reply: the same object as `cox apply`, which here may lack operations,
 * because changes are captured at the desk or because a signal says why there are none.
 */
import { openEnvelopeShape } from "./schema.ts";
import type { Sought } from "./sought.ts";
import { soughtOperations } from "./sought-operations.ts";
import { type Verdict, validate } from "./validate.ts";

export const soughtEnvelope: Sought = {
  mentions: ["file_operations", "specialist_summary", '"signal"'],
  look({ source, value }) {
    const isOne =
      value === undefined ? looksLikeEnvelope(source) : isEnvelope(value) || triesOperations(value);
    return { carries: isOne, resembles: isOne };
  },
  isSound: (value) => validateEnvelope(value).reply !== undefined,
  isEmpty: () => false,
  words: {
    ...soughtOperations.words,
    two: "answers",
    one: "one answer with everything in it",
  },
};

/** Operations may be left out, but not attempted in another place than theirs. */
export function validateEnvelope(value: unknown): Verdict {
  return validate(value, { needsOperations: !isEnvelope(value) || misplacesOperations(value) });
}

/** Text that is not JSON, and was meant to be ours. */
function looksLikeEnvelope(source: string): boolean {
  return (
    source.includes('"file_operations"') ||
    source.includes('"specialist_summary"') ||
    (source.includes('"file_path"') && source.includes('"operation"'))
  );
}

/** By a name that nobody else uses, or because every name is one of ours. */
function isEnvelope(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (Object.hasOwn(value, "file_operations") || Object.hasOwn(value, "specialist_summary")) return true;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => Object.hasOwn(openEnvelopeShape.shape, key));
}

function misplacesOperations(value: unknown): boolean {
  return !Object.hasOwn(value as object, "file_operations") && triesOperations(value);
}

/** Somewhere in it stands an operation, or a list of them. What was parsed is at most 64 levels deep. */
function triesOperations(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Object.hasOwn(value, "file_operations")) return true;
  if (Object.hasOwn(value, "file_path") && Object.hasOwn(value, "operation")) return true;
  return Object.values(value).some(triesOperations);
}
