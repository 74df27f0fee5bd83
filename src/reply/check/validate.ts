/**
 * Checks the form of a parsed reply. Returns everything that is wrong at once, or the reply as data.
 *
 * Nothing here knows the disk. Paths are passed on as the model wrote them; the path rules judge them later.
 */
import { assert } from "../../std/assert.ts";
import { grouped } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";
import { bodyProblems } from "../find/body.ts";
import { toNotes } from "../note/note.ts";
import type { Edit, Operation, Reply } from "../reply.ts";
import { envelopeShape, OPERATIONS_MAX, openEnvelopeShape, operationShape } from "../schema.ts";
import { findIllFormed } from "./ill-formed.ts";
import { describe, issueProblems, unknownKey } from "./issue.ts";
import { placeholderProblems } from "./placeholders.ts";
import { ReplyProblems } from "./reply-problems.ts";

export interface Verdict {
  /** Set if and only if there are no problems. */
  readonly reply?: Reply;
  /** If some operations are malformed, the others: used to find more mistakes, never to be applied. */
  readonly sound?: readonly Operation[];
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

export interface ValidateOptions {
  /** False if captured changes, or a signal, may replace them. */
  readonly needsOperations?: boolean;
}

export function validate(value: unknown, { needsOperations = true }: ValidateOptions = {}): Verdict {
  const refusal = refuseWhole(value);
  if (refusal !== undefined) return { problems: [refusal], warnings: [] };
  const shape = needsOperations ? envelopeShape : openEnvelopeShape;
  const problems = new ReplyProblems();
  const warnings = new ReplyProblems();

  const envelope = { value, keysAt: envelopeKeys };
  const known = shape.safeParse(value);
  for (const issue of known.error?.issues ?? []) problems.add(...issueProblems(issue, envelope));
  for (const [key, part] of Object.entries(value as object)) {
    if (!Object.hasOwn(envelopeShape.shape, key)) warnings.add(unknownKey([key], envelope));
    else if (key !== "file_operations") problems.addEach(findIllFormed(part, [key], envelope));
  }

  const operations: Operation[] = [];
  const brokenPaths = new Set<unknown>();
  const list = (value as { file_operations?: unknown }).file_operations;
  for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
    const operation = judgeOperation(item, index, problems);
    if (operation !== undefined) operations.push(operation);
    else brokenPaths.add((item as { file_path?: unknown } | null)?.file_path);
  }
  const left = placeholderProblems(operations);
  problems.add(...left.errors);
  warnings.add(...left.warnings);
  if (problems.count > 0) {
    // Operations that follow a malformed one on the same path cannot be judged without it.
    const sound = operations.filter(({ filePath }) => !brokenPaths.has(filePath));
    return { sound, problems: problems.list(), warnings: warnings.list() };
  }
  assert(known.success, "a reply without problems passed its schema");
  return {
    reply: { operations, ...surroundings(known.data) },
    problems: [],
    warnings: warnings.list(),
  };
}

/** What a reply says besides its operations. Its signal is read together with the surrounding text. */
function surroundings(wire: ReturnType<typeof openEnvelopeShape.parse>): Omit<Reply, "operations"> {
  const { specialist_summary: summary, notes, outputs = [], delegations = [] } = wire;
  return {
    ...(summary !== undefined && { summary }),
    notes: toNotes(notes),
    outputs: outputs.map(({ name, content }) => ({ name, content })),
    delegations: delegations.map(({ agent, request_type, request }) => ({
      agent,
      requestType: request_type,
      request,
    })),
    checkpoints: [],
  };
}

/** Problems that make a closer look pointless or too costly. */
function refuseWhole(value: unknown): Problem | undefined {
  if (typeof value === "string") {
    return {
      code: "SCHEMA_TYPE",
      message: `the reply is a JSON string (${describe(value)}), not an object: it was encoded twice`,
      hint: 'Send the object itself, {"file_operations": […]}, without quotes around it and without \\" inside.',
    };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {
      code: "SCHEMA_TYPE",
      message: `the reply is ${describe(value)}, not an object`,
      hint: 'Send an object: {"file_operations": […], "specialist_summary": "…"}.',
    };
  }
  const list = (value as { file_operations?: unknown }).file_operations;
  if (Array.isArray(list) && list.length > OPERATIONS_MAX) {
    return {
      code: "LIMIT_OPS",
      message: `the reply has ${grouped(list.length)} operations; the limit is ${grouped(OPERATIONS_MAX)}`,
      hint: "Split the work over several replies.",
      field: "file_operations",
    };
  }
  return undefined;
}

function judgeOperation(item: unknown, index: number, problems: ReplyProblems): Operation | undefined {
  const before = problems.count;
  const subject = { value: item, index, keysAt: operationKeys };
  const parsed = operationShape.safeParse(item);
  for (const issue of parsed.error?.issues ?? []) problems.add(...issueProblems(issue, subject));
  if (typeof item === "object" && item !== null && !Array.isArray(item)) {
    problems.add(...bodyProblems(item, index));
    for (const [key, part] of Object.entries(item)) {
      // Paths are passed on unchecked: the path rules have their own problem for this.
      if (key !== "file_path") problems.addEach(findIllFormed(part, [key], subject));
    }
  }
  if (!parsed.success || problems.count > before) return undefined;
  return toOperation(parsed.data, index);
}

type WireOperation = ReturnType<typeof operationShape.parse>;

function toOperation(wire: WireOperation, index: number): Operation {
  const seen = {
    index,
    filePath: wire.file_path,
    description: wire.description,
    preview: wire.verify_content,
  };
  const base =
    wire.base_sha256 === undefined ? seen : { ...seen, baseSha256: wire.base_sha256.toLowerCase() };
  switch (wire.operation) {
    case "create":
    case "append":
      assert(wire.content !== undefined, "create and append carry content");
      return { ...base, operation: wire.operation, content: wire.content };
    case "edit":
      return { ...base, operation: "edit", edit: toEdit(wire) };
    case "delete":
      return { ...base, operation: "delete" };
  }
}

/** Instructions next to a concrete change are commentary; alone they are the change. */
function toEdit(wire: WireOperation): Edit {
  if (wire.content !== undefined) return { by: "content", content: wire.content };
  if (wire.edits !== undefined) {
    const replacements = wire.edits.map((edit) => ({
      oldString: edit.old_string,
      newString: edit.new_string,
      replaceAll: edit.replace_all ?? false,
    }));
    return { by: "replacements", replacements };
  }
  if (wire.patch !== undefined) return { by: "patch", patch: wire.patch };
  assert(wire.edit_instructions !== undefined, "an edit carries one of its bodies");
  return { by: "instructions", instructions: wire.edit_instructions };
}

function envelopeKeys(): readonly string[] {
  return Object.keys(envelopeShape.shape);
}

function operationKeys(path: readonly PropertyKey[]): readonly string[] {
  return path.length === 0 ? Object.keys(operationShape.shape) : ["old_string", "new_string", "replace_all"];
}
