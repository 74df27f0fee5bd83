/** Which of `content`, `edits`, `patch` and `edit_instructions` an operation has, and which it must have. */
import type { Problem } from "../../std/problem.ts";
import { fieldNameOf } from "../check/issue.ts";
import { bodies, bodyFields } from "../schema.ts";

export function bodyProblems(item: object, index: number): Problem[] {
  const operation = (item as { operation?: unknown }).operation;
  if (typeof operation !== "string" || !isKind(operation)) return [];
  const present = bodyFields.filter((field) => Object.hasOwn(item, field));
  if (operation === "edit") return editProblems(present, index);

  const wanted: readonly string[] = bodies[operation];
  const missing = wanted.filter((field) => !present.some((given) => given === field));
  return [
    ...missing.map((field) => ({
      code: "SCHEMA_REQUIRED",
      message: `${fieldNameOf({ index }, field)} is missing: ${operation} needs it`,
      hint: `Add "${field}" with the complete text; "" for an empty file.`,
      index,
      field,
    })),
    ...present
      .filter((field) => !wanted.includes(field))
      .map((field) => ({
        code: "SCHEMA_CONFLICT",
        message: `${fieldNameOf({ index }, field)} cannot be used with ${operation}`,
        hint:
          wanted.length === 0
            ? `Leave it out, or write "operation": "edit".`
            : `Leave it out: ${operation} takes ${wanted.join(", ")} only. To change an existing file write "operation": "edit".`,
        index,
        field,
      })),
  ];
}

type Kind = keyof typeof bodies;

function isKind(operation: string): operation is Kind {
  return Object.hasOwn(bodies, operation);
}

function editProblems(present: readonly string[], index: number): Problem[] {
  if (present.length === 0) {
    return [
      {
        code: "SCHEMA_REQUIRED",
        message: `${fieldNameOf({ index }, "")} is an edit without a change`,
        hint: 'Add one of "edits" (replacements), "content" (the complete new file), "patch" (a unified diff).',
        index,
        field: "edits",
      },
    ];
  }
  const concrete = present.filter((field) => field !== "edit_instructions");
  if (concrete.length <= 1) return [];
  return [
    {
      code: "SCHEMA_CONFLICT",
      message: `${fieldNameOf({ index }, "")} gives the change ${concrete.length} times: ${concrete.join(", ")}`,
      hint: `Keep one of them; "edits" is the safest.`,
      index,
      field: concrete[1] ?? "edits",
    },
  ];
}
