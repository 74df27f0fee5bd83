/**
 * What a scripted model says: conversations, each a list of steps, one step for each of the model's turns.
 *
 * A step is chosen by counting the model's turns that the client itself sends back, so the server remembers nothing:
 * many clients at once, retries and resumed sessions all get what belongs to them.
 */
import { z } from "zod";
import type { Json } from "../std/canonical-json.ts";
import { stops } from "./model-reply.ts";
import { formatNames } from "./model-request.ts";

const whole = z.int().min(0);
const json = z.json() as z.ZodType<Json>;
const call = z.strictObject({ tool: z.string().min(1), input: json.optional() });

/** One turn of the model, or what happens in place of it. */
const stepShape = z
  .strictObject({
    /** What it says; with tools, what it says before it calls them. */
    text: z.string().optional(),
    thinking: z.string().optional(),
    /** A tool by its name, or by the end of it where the client puts something before: `mcp__cox__NAME`. */
    tool: z.string().min(1).optional(),
    input: json.optional(),
    /** Several at once. */
    tools: z.array(call).min(1).optional(),
    usage: z
      .strictObject({ input: whole.optional(), output: whole.optional(), cacheRead: whole.optional() })
      .optional(),
    stop: z.enum(stops).optional(),
    /** Never taken for an aside: a text that does not fit the wanted schema is sent all the same. */
    asIs: z.boolean().optional(),
    /** Before the answer begins. */
    delayMs: whole.optional(),
    /** Between two pieces of a stream. */
    chunkMs: whole.optional(),
    /** A failure with this HTTP status. */
    status: z.int().min(400).max(599).optional(),
    error: z.string().optional(),
    errorType: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Status 429, with everything by which the format tells when to ask again. */
    rateLimit: z.strictObject({ resetSeconds: whole }).optional(),
    /** No answer, ever: before its first byte, or in its middle. */
    hang: z.union([z.literal(true), z.enum(["before", "midway"])]).optional(),
    /** The connection ends without an answer. */
    drop: z.literal(true).optional(),
    /** The answer stops in its middle. */
    truncate: z.literal(true).optional(),
    /** Happens so often, and then gives way to the step below: for what a client tries again. */
    times: z.int().min(1).optional(),
  })
  .superRefine((step, context) => {
    const problem = stepProblem(step);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

const conversationShape = z.strictObject({
  /** All of these must be found; each is a piece of text, as it is written. */
  when: z
    .strictObject({
      model: z.string().optional(),
      system: z.string().optional(),
      /** In something the user said; the steps are counted from there. */
      prompt: z.string().optional(),
      /** The name of a tool that is offered. */
      tool: z.string().optional(),
      format: z.enum(formatNames).optional(),
    })
    .optional(),
  steps: z
    .array(stepShape)
    .min(1)
    .refine((steps) => steps.at(-1)?.times === undefined, {
      message: "the last step has `times`, and nothing follows that it could give way to",
    }),
});

export const scriptShape = z.strictObject({
  /** What `GET /v1/models` lists. */
  models: z.array(z.string().min(1)).min(1).optional(),
  /** By name; the first whose `when` fits plays. */
  conversations: z.record(z.string(), conversationShape).optional(),
});

/** What stands in a prompt: a conversation without a name. */
export const promptScriptShape = conversationShape.omit({ when: true });

export type Script = z.output<typeof scriptShape>;
export type Conversation = z.output<typeof conversationShape>;
export type Step = z.output<typeof stepShape>;

export const stepKeys = Object.keys(stepShape.shape);
export const conversationKeys = Object.keys(conversationShape.shape);
export const whenKeys = Object.keys(conversationShape.shape.when.unwrap().shape);
export const scriptKeys = Object.keys(scriptShape.shape);

/** What cannot be together, or says nothing. */
function stepProblem(step: { readonly [Key in StepKey]?: unknown }): string | undefined {
  const has = (...keys: StepKey[]) => keys.filter((key) => step[key] !== undefined);
  const said = has("text", "tool", "tools", "thinking");
  const instead = has("status", "rateLimit", "drop");
  const midway = has("hang", "truncate");
  const [failure] = instead;
  if (instead.length + midway.length > 1)
    return `${[...instead, ...midway].join(" and ")} cannot happen in one step`;
  if (failure !== undefined && said.length > 0)
    return `${failure} happens in place of ${said.join(" and ")}; make two steps of it`;
  if (said.length + instead.length === 0 && step.hang === undefined)
    return "a step needs one of text, tool, tools, thinking, status, rateLimit, hang, drop";
  if (has("tool", "tools").length === 2) return "write either `tool:` or `tools:`";
  if (step.input !== undefined && step.tool === undefined) return "`input:` belongs to a `tool:`";
  const [lost] = step.status === undefined ? has("error", "errorType", "headers") : [];
  return lost === undefined ? undefined : `\`${lost}:\` belongs to a \`status:\``;
}

type StepKey =
  | "text"
  | "tool"
  | "tools"
  | "thinking"
  | "input"
  | "status"
  | "rateLimit"
  | "hang"
  | "drop"
  | "truncate"
  | "error"
  | "errorType"
  | "headers";
