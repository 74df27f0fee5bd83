/** What `cox apply` looks for in a reply: an object with a non-empty list of operations. */

import { validate } from "../check/validate.ts";
import type { CandidateFacts, ExpectedObject } from "./expected-object.ts";

export const expectedOperations: ExpectedObject = {
  mentions: ["file_operations"],
  look({ source, value }: CandidateFacts) {
    const hasPaths = source.includes('"file_path"');
    const resembles = source.includes("file_operations") || (hasPaths && source.startsWith("["));
    return { carries: value === undefined ? resembles && hasPaths : carriesOperations(value), resembles };
  },
  isSound: (value) => validate(value).reply !== undefined,
  isEmpty: (value) => operationsOf(value)?.length === 0,
  words: {
    plural: "operations",
    field: "file_operations",
    two: "lists of operations",
    one: "one list with all operations",
    answerWith: 'one ```json block that holds {"file_operations": […], "specialist_summary": "…"}',
  },
};

function carriesOperations(value: unknown): boolean {
  return (operationsOf(value)?.length ?? 0) > 0;
}

function operationsOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "file_operations"))
    return undefined;
  const { file_operations } = value as { file_operations: unknown };
  return Array.isArray(file_operations) ? file_operations : undefined;
}
