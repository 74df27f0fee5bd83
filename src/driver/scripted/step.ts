/** The steps that a script can have, each doing one thing: their format in the file, and as data. */
import { z } from "zod";
import { quote } from "../../std/printable.ts";
import type { FailureCode } from "../driver.ts";

const failureCodes = [
  ...(["AGENT_NOT_INSTALLED", "AGENT_NOT_SIGNED_IN", "AGENT_RATE_LIMIT", "AGENT_CONTEXT"] as const),
  ...(["AGENT_REFUSED", "AGENT_API", "AGENT_LIMIT", "AGENT_NO_RESULT"] as const),
] as const satisfies readonly FailureCode[];

const target = z
  .string()
  .min(1)
  .refine((text) => !text.includes("\0"), "a path holds no NUL");
const path = target.describe(
  "From the desk; an absolute path, or one with .., leads outside, as a hostile agent would go",
);

const fields = {
  say: z.string().describe("Text of the reply, ended by a line break"),
  reply: z
    .record(z.string(), z.unknown())
    .describe("An object, said as a json block that carries the fence tag of the turn"),
  write: z
    .strictObject({ path, content: z.string(), executable: z.boolean().optional() })
    .describe("Writes a file at the desk"),
  link: z.strictObject({ path, target }).describe("Makes a symbolic link at the desk"),
  delete: path.describe("Removes a file or a folder at the desk"),
  run: z
    .array(z.string())
    .min(1)
    .describe("Runs a program at the desk, as an argv; if it fails, the agent says so and continues"),
  sleep: z.number().nonnegative().describe("Waits that many milliseconds"),
  checkpoint: z.string().describe("Says the line `Checkpoint: …`"),
  action: z.string().describe("What the agent is doing, in words: shown, but not part of the reply"),
  usage: z
    .strictObject({
      inputTokens: z.int().nonnegative().optional(),
      outputTokens: z.int().nonnegative().optional(),
      usdMicros: z.int().nonnegative().optional(),
    })
    .describe("What the whole turn has used so far"),
  session: z.string().min(1).describe("With which a later turn resumes the conversation"),
  lie: z.string().describe("Said like any text; the name tells readers of the script that it is not true"),
  flood: z.int().nonnegative().describe("Prints that many bytes"),
  hang: z.literal(true).describe("Never ends: the turn must be cancelled"),
  exit: z.int().min(0).max(255).describe("Ends here, with this exit code"),
  crash: z
    .union([z.int().min(1).max(255), z.string().regex(/^SIG[A-Z0-9]+$/)])
    .describe("Ends here, with this exit code or by this signal"),
  fail: z
    .strictObject({
      code: z.enum(failureCodes),
      message: z.string().optional(),
      resetsInMs: z.number().nonnegative().optional(),
    })
    .describe("Ends here, as the program of an agent says that it failed; a limit may say when it is lifted"),
};

type Fields = typeof fields;

export type ScriptStep = {
  readonly [Kind in keyof Fields]: { readonly kind: Kind; readonly value: z.infer<Fields[Kind]> };
}[keyof Fields];

export const stepKinds = Object.keys(fields);

/** Without this check a step could have two fields, and not every YAML reader keeps their order. */
export const stepShape = z
  .strictObject(fields)
  .partial()
  .superRefine((step, context) => {
    const kinds = Object.keys(step);
    if (kinds.length === 1 || context.issues.length > 0) return;
    const found = kinds.length === 0 ? "nothing" : kinds.map((kind) => quote(kind)).join(" and ");
    context.addIssue({ code: "custom", message: `a step does one thing, this one has ${found}` });
  })
  .transform((step) => {
    const [[kind, value] = []] = Object.entries(step);
    return { kind, value } as ScriptStep;
  });
