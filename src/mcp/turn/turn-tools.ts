/**
 * The tools of one turn: an agent hands in its work and learns at once what is wrong with it. They change nothing; what
 * was handed in is judged again when the turn is over.
 */

import { Peek } from "../../changeset/peek.ts";
import { type HandedIn, handedInLine, readHandedIn, take } from "../../reply/handed-in.ts";
import { putToUser } from "../../reply/note/put-to-user.ts";
import type { Proposals } from "../../reply/proposals.ts";
import { readReply } from "../../reply/read.ts";
import { auditorJsonSchema, replyJsonSchema } from "../../reply/reply-json-schema.ts";
import { considerReply } from "../../runtime/acts/consider-reply.ts";
import type { ServedTurn } from "../../runtime/acts/served-turn.ts";
import { handedInBytesMax } from "../../runtime/folder/scratch.ts";
import { addToScratchFile, readScratchFile } from "../../runtime/folder/scratch-file.ts";
import { counted } from "../../std/counted.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { size } from "../../std/size.ts";
import { encodeUtf8, utf8Length } from "../../std/utf8.ts";
import type { Files } from "../../world/files/files.ts";
import type { JsonSchema } from "../tool-listing.ts";

export interface TurnTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: JsonSchema;
  /** Answers in text only: if there is data as well, some programs show the model only the data. */
  call(
    given: Readonly<Record<string, unknown>>,
  ): { readonly text: string } | { readonly problems: readonly Problem[] };
}

/** An auditor proposes nothing. */
export function turnTools(turn: ServedTurn, files: Files): readonly TurnTool[] {
  const desk = new HandingIn(turn, files);
  return turn.role === "developer" ? [propose(desk), submitReply(desk)] : [submitAudit(desk)];
}

function propose(handing: HandingIn): TurnTool {
  const { properties } = replyJsonSchema() as { properties: Record<string, JsonSchema> };
  return {
    name: "propose_operations",
    title: "Propose file operations",
    description:
      "Hand in changes to files for your task. Nothing is written now: they are checked at once and carried out, all together, when your turn is over. Call it as often as you like; operations accumulate in order.",
    input: {
      type: "object",
      properties: {
        operations: properties.file_operations ?? {},
        replace: {
          type: "boolean",
          description: "Replace everything proposed before; default false",
        },
      },
      required: ["operations"],
      additionalProperties: false,
    },
    call: ({ operations, replace }) => handing.propose(operations, replace === true),
  };
}

function submitReply(handing: HandingIn): TurnTool {
  const { $schema: _dialect, title: _title, required: _needed, ...input } = replyJsonSchema();
  return {
    name: "submit_reply",
    title: "Submit your reply",
    description:
      "The last word of your turn: a summary, the signal, notes, a question. It includes what you proposed: leave file_operations out then. Replaces the block in your answer; the last call counts.",
    input,
    call: (reply) => handing.submit(reply),
  };
}

function submitAudit(handing: HandingIn): TurnTool {
  const { $schema: _dialect, title: _title, ...input } = auditorJsonSchema();
  return {
    name: "submit_reply",
    title: "Submit your judgement",
    description:
      "The last word of your turn: your verdict with its evidence and findings. Replaces the block in your answer; the last call counts.",
    input,
    call: (audit) => handing.submit(audit),
  };
}

/** Keeps no state of its own: the program may restart the server, or start it twice, in one turn. */
class HandingIn {
  constructor(
    private readonly turn: ServedTurn,
    private readonly files: Files,
  ) {}

  propose(operations: unknown, replace: boolean): ReturnType<TurnTool["call"]> {
    const { proposals, bytes } = this.#read();
    const before = replace ? 0 : proposals.proposedCount;
    const handedIn = { propose: operations, ...(replace && { replace }) };
    const problems = take(proposals, handedIn);
    if (problems.length > 0) return { problems };
    const considered = this.#consider(proposals);
    if (considered.problems.length > 0)
      return { problems: considered.problems.map((problem) => inCall(problem, before)) };
    const full = this.#keep(handedIn, bytes);
    if (full) return { problems: [full] };
    const asked = considered.confirmations.map(({ path }) => oneLine(path, 200));
    const person = asked.length === 0 ? "" : ` A person will be asked about: ${asked.join(", ")}.`;
    const text = `Accepted: ${counted(proposals.count - before, "operation")}, ${proposals.count} in all.${person}`;
    return { text: `${text}${editsWords(proposals)} When everything is there, call submit_reply.` };
  }

  submit(reply: unknown): ReturnType<TurnTool["call"]> {
    const { proposals, bytes } = this.#read();
    const problems = take(proposals, { submit: reply });
    if (problems.length > 0) return { problems };
    const considered = this.#consider(proposals);
    if (considered.problems.length > 0) return { problems: considered.problems };
    const full = this.#keep({ submit: reply }, bytes);
    if (full) return { problems: [full] };
    const what =
      this.turn.role === "developer"
        ? `your reply with ${counted(proposals.count, "operation")}`
        : "your judgement";
    return {
      text: `Accepted: ${what}.${editsWords(proposals)}${leftWords(proposals)} Your turn is over: end it now, without repeating it.`,
    };
  }

  #read(): { readonly proposals: Proposals; readonly bytes: number } {
    const { role, task, mode, rules, replyFile } = this.turn;
    const lines = readScratchFile(this.files, replyFile, handedInBytesMax);
    const proposals = readHandedIn(lines, {
      ...{ role, task, desk: mode === "desk" },
      isWorkAtDesk: rules.isWorkAtDesk === true,
    });
    return { proposals, bytes: utf8Length(lines) };
  }

  /** Judges against the desk as it is now, by the rules of the task. */
  #consider(proposals: Proposals): Pick<ReturnType<typeof considerReply>, "problems" | "confirmations"> {
    const text = proposals.count === 0 ? undefined : proposals.replyText(tag);
    const { task, desk, rules } = this.turn;
    const { reply } = text === undefined ? {} : readReply(text, { fence: tag, task, desk: true });
    if (!reply) return { problems: [], confirmations: [] };
    const peek = Peek.open(this.files, desk);
    try {
      return considerReply(reply, peek, rules);
    } finally {
      peek.close();
    }
  }

  /** Writes to the file before the agent gets its answer. */
  #keep(handedIn: HandedIn, bytes: number): Problem | undefined {
    const line = encodeUtf8(handedInLine(handedIn));
    if (bytes + line.length > handedInBytesMax) return tooMuch;
    addToScratchFile(this.files, this.turn.replyFile, line);
    return undefined;
  }
}

/** Tells the agent which edits do not count while it can still hand them in. */
function editsWords({ proposedCount, triedPaths }: Proposals): string {
  if (proposedCount === 0 || triedPaths.length === 0) return "";
  const named = triedPaths.slice(0, 10).map((path) => oneLine(path, 200));
  const more = triedPaths.length > named.length ? ", …" : "";
  return ` Only these operations count: your own edits of ${named.join(", ")}${more} do not.`;
}

/** Tells the agent at once that its task will wait, and for what. */
function leftWords({ left }: Proposals): string {
  const put = left && putToUser(left);
  const what = put?.text.split("\n", 1)[0];
  return what === undefined ? "" : ` A person will be asked before the task continues: ${what}`;
}

/** Only for reading back what was just put together. */
const tag = "cox-handed-in";

/** Numbers the problem among the operations of this call, if it is about one of them. */
function inCall({ index, ...problem }: Problem, before: number): Problem {
  return index === undefined || index < before ? problem : { ...problem, index: index - before };
}

const tooMuch: Problem = {
  code: "LIMIT_REPLY",
  message: `more than ${size(handedInBytesMax)} would be handed in within this turn`,
  hint: "Submit what you have, and say TASK INCOMPLETE with what is left.",
};
