/**
 * The shapes of replies as JSON Schema, draft 2020-12, for the models that write them. This file is separate from the
 * shapes because the library's types refer to it, and users of the library do not have the package that the shapes are
 * built with.
 */
import { z } from "zod";
import { hasEffect } from "../std/no-effect-yet.ts";
import {
  always,
  auditShape,
  bodies,
  type bodyFields,
  envelopeFields,
  meanings,
  OPERATIONS_MAX,
  operationFields,
} from "./schema.ts";

export function replyJsonSchema(): Record<string, unknown> {
  const envelope = z.object({
    file_operations: z
      .array(z.union(alternatives()))
      .min(1)
      .max(OPERATIONS_MAX)
      .describe("All changes to files, in order; applied completely or not at all"),
    ...offeredFields(),
  });
  return { title: "Reply", ...z.toJSONSchema(envelope, { target: "draft-2020-12", io: "input" }) };
}

/** Fields that are read but have no effect yet are not offered. */
function offeredFields(): Partial<typeof envelopeFields> {
  const offered = Object.entries(envelopeFields).filter(([name]) => hasEffect("reply property", name));
  return Object.fromEntries(offered);
}

export function auditorJsonSchema(): Record<string, unknown> {
  return { title: "Audit", ...z.toJSONSchema(auditShape, { target: "draft-2020-12", io: "input" }) };
}

function alternatives() {
  return operationFields.operation.options.flatMap((operation) => {
    const head = { operation: z.literal(operation), ...always };
    const body: readonly (typeof bodyFields)[number][] = bodies[operation].filter(isOffered);
    if (body.length === 0) return [z.strictObject(head).describe(meanings[operation])];
    return body.map((field) => {
      const comment = operation === "edit" && field !== "edit_instructions" && isOffered("edit_instructions");
      const beside = comment ? { edit_instructions: operationFields.edit_instructions.optional() } : {};
      return z
        .strictObject({ ...head, ...beside, [field]: operationFields[field] })
        .describe(meanings[operation]);
    });
  });
}

function isOffered(field: string): boolean {
  return hasEffect("reply property", `file_operations[].${field}`);
}
