/**
 * What a scripted model says: conversations, each a list of steps, one for each of the model's turns.
 *
 * A step is chosen by counting the model's turns that the client itself sends back. So the server need not track
 * conversations: concurrent clients, retries and resumed sessions each get the right step.
 */
import { z } from "zod";
import type { Json } from "../std/canonical-json.ts";
import { stops } from "./model-reply.ts";
import { formatNames } from "./model-request.ts";

const whole = z.int().min(0);
const json = z.json() as z.ZodType<Json>;
const call = z.strictObject({ tool: z.string().min(1), input: json.optional() });

/** One turn of the model, or what happens instead. */
const stepShape = z
  .strictObject({
    /** What it says; with tools, what it says before calling them. */
    text: z.string().optional(),
    thinking: z.string().optional(),
    /** A tool by its full name, or by the end of it if the client adds a prefix: `mcp__cox__NAME`. */
    tool: z.string().min(1).optional(),
    input: json.optional(),
    /** Several calls at once. */
    tools: z.array(call).min(1).optional(),
    usage: z
      .strictObject({ input: whole.optional(), output: whole.optional(), cacheRead: whole.optional() })
      .optional(),
    stop: z.enum(stops).optional(),
    /** Never treated as an aside: the text is sent even if it does not fit the wanted schema. */
    asIs: z.boolean().optional(),
    /** Delay before the answer starts. */
    delayMs: whole.optional(),
    /** Delay between two pieces of a stream. */
    chunkMs: whole.optional(),
    /** Fails with this HTTP status. */
    status: z.int().min(400).max(599).optional(),
    error: z.string().optional(),
    errorType: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Status 429, with everything the format uses to say when to retry. */
    rateLimit: z.strictObject({ resetSeconds: whole }).optional(),
    /** Hangs forever: before the first byte, or in the middle of the answer. */
    hang: z.union([z.literal(true), z.enum(["before", "midway"])]).optional(),
    /** Closes the connection without an answer. */
    drop: z.literal(true).optional(),
    /** Cuts the answer off in the middle. */
    truncate: z.literal(true).optional(),
    /** Happens this many times, then gives way to the next step: for requests that a client retries. */
    times: z.int().min(1).optional(),
  })
  .superRefine((step, context) => {
    const problem = stepProblem(step);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  });

const conversationShape = z.strictObject({
  /** All of these must match; each is a literal substring. */
  when: z
    .strictObject({
      model: z.string().optional(),
      system: z.string().optional(),
      /** Found in something the user said; steps are counted from there. */
      prompt: z.string().optional(),
      /** The name of an offered tool. */
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

export const modelScriptShape = z.strictObject({
  /** What `GET /v1/models` lists. */
  models: z.array(z.string().min(1)).min(1).optional(),
  /** By name; the first one whose `when` matches is used. */
  conversations: z.record(z.string(), conversationShape).optional(),
});

/** A script in a prompt: a conversation without a name. */
export const promptScriptShape = conversationShape.omit({ when: true });

export type ModelScript = z.output<typeof modelScriptShape>;
export type ScriptedConversation = z.output<typeof conversationShape>;
export type ModelStep = z.output<typeof stepShape>;

export const stepKeys = Object.keys(stepShape.shape);
export const conversationKeys = Object.keys(conversationShape.shape);
export const whenKeys = Object.keys(conversationShape.shape.when.unwrap().shape);
export const scriptKeys = Object.keys(modelScriptShape.shape);

/** Rejects steps that contradict themselves or say nothing. */
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
