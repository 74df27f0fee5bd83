/** The file executor as a tool: applies any model's reply, or its operations as data, completely or not at all. */
import { z } from "zod";
import { Changesets } from "../../../changeset/changesets.ts";
import { isChangesetId } from "../../../changeset/changesets-folder.ts";
import type { Considered } from "../../../runtime/acts/consider-reply.ts";
import { type ApplyOptions, applyReply, type Confirmed } from "../../../runtime/apply-reply.ts";
import { keepWaitingReply } from "../../../runtime/folder/waiting-replies.ts";
import type { Problem } from "../../../std/problem.ts";
import { encodeUtf8 } from "../../../std/utf8.ts";
import { type ApplyReport, endedDocument, endedText } from "../../../view/end/ended.ts";
import { noPaint } from "../../../view/text/paint.ts";
import { type Answer, type ToolContext, tool } from "../../tool.ts";
import { allow, confirmationWords, refuse } from "./confirmation-words.ts";

const input = z.strictObject({
  reply: z.string().optional().describe("A reply as the model wrote it, prose and fences included"),
  file_operations: z
    .array(z.record(z.string(), z.unknown()))
    .optional()
    .describe(
      "Or the operations as data: operation, file_path, description (why, 10 characters or more), content | edits | patch, …",
    ),
  dry_run: z.boolean().optional().describe("Only say what would happen"),
  id: z.string().optional().describe("Name of the changeset; the same id is never applied twice"),
});

const output = z.object({
  ok: z.boolean(),
  applied: z.number(),
  changeset: z.string().nullable(),
  operations: z.array(z.looseObject({})),
  warnings: z.array(z.looseObject({})),
});

export const applyFileOperations = tool({
  name: "apply_file_operations",
  group: "files",
  title: "Apply file operations",
  description:
    "Applies file operations, all or none, each file read back from disk, with undo (cox undo). Use it for a subagent's reply instead of copying its files by hand. A person confirms deletes and changes of sensitive files.",
  does: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input,
  output,
  async call({ reply, file_operations, dry_run, id }, context) {
    const given = textOf({ reply, file_operations });
    if ("problem" in given) return { problems: [given.problem] };
    if (id !== undefined && !isChangesetId(id)) return { problems: [badId] };
    const ended = await applyReply(given.text, applyingOf(context, { dry_run, id }));
    return answerOf(ended, () => keepWaitingReply(context.files, context.root, encodeUtf8(given.text)));
  },
});

type Given = Pick<z.output<typeof input>, "reply" | "file_operations">;

function textOf({ reply, file_operations }: Given): { text: string } | { problem: Problem } {
  if ((reply === undefined) === (file_operations === undefined)) return { problem: oneOfBoth };
  return { text: reply ?? JSON.stringify({ file_operations }) };
}

const oneOfBoth: Problem = {
  code: "SCHEMA_ONE_OF",
  message: "exactly one of reply and file_operations is required",
  hint: "Send the reply's text as reply, or its operations as file_operations.",
};

const badId: Problem = {
  code: "ID_INVALID",
  field: "id",
  message: "the id is not a valid changeset id",
  hint: "Use 1 to 64 lower-case letters, digits and dashes, starting with a letter or digit.",
};

type ApplyArguments = Pick<z.output<typeof input>, "dry_run" | "id">;

function applyingOf(context: ToolContext, { dry_run = false, id }: ApplyArguments): ApplyOptions {
  const { files, clock, chance, root, signal } = context;
  return {
    files,
    root,
    rules: { confirmDeletes: "ask", writes: [] },
    isDryRun: dry_run,
    ...(id !== undefined && { id }),
    signal,
    open: () => Changesets.open({ files, root, clock, chance, signal }),
    onPlan: () => {},
    onProgress: () => {},
    confirm: (considered) => askPerson(context, considered),
  };
}

async function askPerson({ person }: ToolContext, considered: Considered): Promise<Confirmed> {
  if (!person) return { is: "nobody-there" };
  const said = await person.choose(confirmationWords(considered), [allow, refuse]);
  return said === allow ? { is: "given" } : { is: "denied", problem: denied };
}

const denied: Problem = {
  code: "CONFIRM_DENIED",
  message: "the person did not allow it; nothing was changed",
  hint: "Send the reply again without the operations that need a yes, or ask the person why.",
};

async function answerOf(
  ended: ApplyReport,
  keep: () => Promise<string>,
): Promise<Answer<z.input<typeof output>>> {
  const { ending } = ended;
  if (ending.name === "refused" || ending.name === "misused") return { problems: ending.problems };
  if (ending.name === "waiting") {
    const hint = `Ask the person to look and type: cox apply ${await keep()}`;
    return { problems: ending.problems.map((problem) => ({ ...problem, hint })) };
  }
  const { errors: _, ...document } = endedDocument(ended);
  const { result, notice } = endedText(ended, noPaint, noPaint);
  return { data: JSON.parse(JSON.stringify(document)), text: `${result}${notice}`.trim() };
}
