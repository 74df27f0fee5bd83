/**
 * The wire shapes of replies, a developer's and an auditor's, with the names that models use. They are the single
 * source for the check and for the JSON Schema that models get, so the descriptions address a model.
 *
 * Which fields go together depends on `operation`. `validate.ts` checks that field by field, so that it can name every
 * mistake at once; `reply-json-schema.ts` states it as alternatives. Both read `bodies`.
 */
import { z } from "zod";
import { roleSignals } from "./signal/role-signals.ts";
import type { SignalName } from "./signal/signal.ts";

export const operationFields = {
  operation: z.enum(["create", "edit", "append", "delete"]),
  file_path: z.string().describe("Path from the repository's root, with forward slashes: src/db/users.ts"),
  description: z.string().min(10).describe("What this operation does and why, in 10 characters or more"),
  content: z
    .string()
    .describe(
      "create, edit: the complete file, every line of it; append: the text to add. Nothing may be left out",
    ),
  edits: z
    .array(
      z.strictObject({
        old_string: z
          .string()
          .min(1)
          .describe(
            "Text of the file, copied exactly with its white space; it must occur once, or replace_all be true",
          ),
        new_string: z.string().describe("The text to put there instead; empty to remove it"),
        replace_all: z.boolean().optional().describe("Replace every occurrence; default false"),
      }),
    )
    .min(1)
    .describe("Replacements, applied in this order"),
  patch: z.string().min(1).describe("A unified diff of this one file"),
  edit_instructions: z
    .string()
    .min(1)
    .describe("The change in plain words, only if you cannot see the file: an editor turns it into edits"),
  base_sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/)
    .describe("SHA-256 of the file you saw, in hex: the operation is refused if the file has changed since"),
  verify_content: z
    .boolean()
    .default(true)
    .describe("false leaves the preview out of reports; the file is checked all the same"),
};

export const meanings = {
  create: "Create a new file; refused if it exists already",
  edit: "Change an existing file",
  append: "Add to the end of a file",
  delete: "Remove a file",
};

/**
 * For each operation, the fields of which it needs one. `edit_instructions` may also accompany another, as a comment.
 */
export const bodies = {
  create: ["content"],
  append: ["content"],
  edit: ["content", "edits", "patch", "edit_instructions"],
  delete: [],
} as const;

export const bodyFields = ["content", "edits", "patch", "edit_instructions"] as const;

/** Fields that every operation has. */
export const always = {
  file_path: operationFields.file_path,
  description: operationFields.description,
  base_sha256: operationFields.base_sha256.optional(),
  verify_content: operationFields.verify_content,
};

/** One operation of any kind: each field is checked by itself. */
export const operationShape = z.strictObject({
  operation: operationFields.operation,
  ...always,
  content: operationFields.content.optional(),
  edits: operationFields.edits.optional(),
  patch: operationFields.patch.optional(),
  edit_instructions: operationFields.edit_instructions.optional(),
});

const notes = z
  .array(
    z.object({
      description: z.string().describe("The assumption or doubt"),
      context: z.string().optional().describe("Where it came up"),
      category: z.string().optional().describe("For example requirements, design, environment"),
      status: z
        .string()
        .optional()
        .describe(
          "open or escalated: a person is asked about it; resolved: it is kept and shown; default open",
        ),
      resolution: z.string().optional().describe("How you settled it, if it is resolved"),
      escalation_reason: z
        .string()
        .optional()
        .describe("Why you cannot settle it yourself, if it is escalated"),
    }),
  )
  .optional()
  .describe("Assumptions you made and doubts you have");

/** What must be written with a signal that is not enough alone. */
function offer(name: SignalName): string {
  if (name === "SEEKING DIVINE CLARIFICATION") return `${name}, beside a question`;
  return name === "READY FOR AUDIT" ? name : `${name}: and why`;
}

export const envelopeFields = {
  specialist_summary: z.string().optional().describe("What you did, for the person who reads the report"),
  notes,
  signal: z
    .string()
    .optional()
    .describe(`The state of the task: ${roleSignals.developer.offered.map(offer).join("; or ")}`),
  question: z
    .object({
      text: z.string().min(1).describe("The question, complete in itself"),
      options: z.array(z.string()).optional().describe("The answers you can think of"),
      why: z.string().optional().describe("Why the work cannot go on without the answer"),
    })
    .optional()
    .describe("What only a person can decide; with the signal SEEKING DIVINE CLARIFICATION"),
  outputs: z
    .array(
      z.object({
        name: z.string().describe("Name of the document"),
        content: z.string().describe("All of its text"),
      }),
    )
    .optional()
    .describe("Documents for the tasks that build on this one; not files of the repository"),
  delegations: z
    .array(
      z.object({
        agent: z.string().describe("Who is asked"),
        request_type: z.string().describe("For example advice"),
        request: z.string().describe("The question, complete in itself"),
      }),
    )
    .optional()
    .describe("Questions to other agents"),
};

export const OPERATIONS_MAX = 10_000;

/** The fields around the operations. The operations are checked one by one, after their number. */
export const envelopeShape = z.object({ file_operations: z.array(z.unknown()).min(1), ...envelopeFields });

/** The same from an agent whose changes are captured at its desk, or that says why it made none. */
export const openEnvelopeShape = z.object({
  file_operations: z.array(z.unknown()).optional(),
  ...envelopeFields,
});

const ENTRIES_MAX = 200;
const text = z.string().max(20_000);

/** An auditor's reply. Combinations that are not allowed are checked in `validate-audit.ts`. */
export const auditShape = z.object({
  verdict: z
    .enum(["PASS", "FAIL", "BLOCKED"])
    .describe(
      "PASS: every criterion is met; FAIL: the work must be changed; BLOCKED: it cannot be judged, for a reason outside of the work",
    ),
  summary: text
    .optional()
    .describe("Your judgement in a few sentences; with BLOCKED: what prevents a judgement"),
  evidence: z
    .array(
      z.object({
        criterion: text.describe("The success criterion, as the task words it"),
        evidence: text.describe("What shows that it is met or not: a test and its result, a file and line"),
      }),
    )
    .max(ENTRIES_MAX)
    .optional()
    .describe("One entry for each success criterion"),
  findings: z
    .array(
      z.object({
        severity: z.enum(["blocking", "advice"]).describe("blocking: must be fixed before the task can pass"),
        file: text.optional().describe("Path from the repository's root"),
        line: z.int().min(1).optional().describe("Line in that file, from 1"),
        problem: text.min(1).describe("What is wrong, and why it matters"),
        fix: text.optional().describe("What to do about it"),
      }),
    )
    .max(ENTRIES_MAX)
    .optional()
    .describe("What is wrong. FAIL needs at least one; PASS allows none that is blocking"),
  notes,
});
