/**
 * The tools of a bare model: it looks at its desk and hands in what should be changed there. None of the tools changes
 * anything.
 *
 * A tool always answers with a text: the model can correct a bad call, which never ends its turn.
 */
import { problemLines } from "../../reply/problem-lines.ts";
import type { Proposals } from "../../reply/proposals.ts";
import { auditorJsonSchema, replyJsonSchema } from "../../reply/reply-json-schema.ts";
import { counted } from "../../std/counted.ts";
import { present } from "../../std/present.ts";
import type { Problem } from "../../std/problem.ts";
import { countField, textField } from "../programs/event-fields.ts";
import type { DeskAnswer, DeskLook, Listing } from "./desk-look.ts";
import { searchDesk } from "./desk-search.ts";

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input; a model may still send anything. */
  readonly schema: Readonly<Record<string, unknown>>;
  call(given: Given): string | Promise<string>;
}

type Given = Readonly<Record<string, unknown>>;

export interface ModelToolContext {
  readonly desk: DeskLook;
  readonly proposals: Proposals;
  readonly role: string;
}

/** An agent that judges gets no tool to propose changes. */
export function modelTools({ desk, proposals, role }: ModelToolContext): readonly ModelTool[] {
  const looking = [readFile(desk), listFiles(desk), searchFiles(desk)];
  return role === "developer"
    ? [...looking, proposeOperations(proposals), submitReply(proposals)]
    : [...looking, submitAudit(proposals)];
}

const path = { type: "string", description: "From the root of the repository: src/app.ts" };
const folder = {
  type: "string",
  description: "Only this folder and what is below it; all of them otherwise",
};
const pattern = { type: "string", description: "Only paths like this: src/**/*.ts" };
const line = { type: "integer", minimum: 1 };

function readFile(desk: DeskLook): ModelTool {
  return {
    name: "read_file",
    description:
      "Shows a text file, or some of its lines. The first line of the answer says which; the rest is the file, character for character.",
    schema: object({ path, from_line: line, to_line: line }, ["path"]),
    call: ({ path, from_line, to_line }) =>
      answerText(
        desk.read({
          path: textField(path) ?? "",
          ...present({ from: countField(from_line) || undefined, to: countField(to_line) || undefined }),
        }),
      ),
  };
}

function listFiles(desk: DeskLook): ModelTool {
  return {
    name: "list_files",
    description: "Lists the paths of files, each on a line.",
    schema: object({ folder, pattern }),
    call: (given) => {
      const found = desk.list(listQuery(given));
      return "problem" in found ? answerText(found) : listed(found.seen);
    },
  };
}

/** As many as a model can look through before it has to narrow its request. */
const pathsShown = 1_000;

function listed({ paths, isCut }: Listing): string {
  const more =
    isCut || paths.length > pathsShown ? `; the first ${pathsShown} of them, name a folder for others` : "";
  return [
    `${counted(paths.length, "file")}${isCut ? " or more" : ""}${more}:`,
    ...paths.slice(0, pathsShown),
  ].join("\n");
}

function searchFiles(desk: DeskLook): ModelTool {
  return {
    name: "search_files",
    description: "Finds the lines that hold a text, or that a regular expression matches: path:line: text.",
    schema: object(
      {
        text: { type: "string", description: "A piece of one line" },
        regex: {
          type: "boolean",
          description: "The text is a regular expression of JavaScript; default false",
        },
        ignore_case: { type: "boolean", description: "Default false" },
        folder,
        pattern,
      },
      ["text"],
    ),
    call: async (given) =>
      answerText(
        await searchDesk(desk, {
          ...listQuery(given),
          text: textField(given.text) ?? "",
          isRegex: given.regex === true,
          ignoreCase: given.ignore_case === true,
        }),
      ),
  };
}

/** A model may leave a field empty instead of omitting it. */
function listQuery({ folder, pattern }: Given): { folder?: string; pattern?: string } {
  return present({ folder: textField(folder) || undefined, pattern: textField(pattern) || undefined });
}

function answerText(look: DeskAnswer<string>): string {
  return "problem" in look ? problemLines([look.problem]).join("\n") : look.seen;
}

function proposeOperations(proposals: Proposals): ModelTool {
  const { properties } = replyJsonSchema() as { properties: Record<string, unknown> };
  const replace = {
    type: "boolean",
    description: "Replace everything proposed before; default false",
  };
  return {
    name: "propose_operations",
    description:
      "Hand in changes to files for your task. Nothing is written now: they are checked at once and carried out, all together, when your turn is over. Call it as often as you like; operations accumulate in order.",
    schema: object({ operations: properties.file_operations, replace }, ["operations"]),
    call({ operations, replace }) {
      const problems = proposals.propose(operations, { replace: replace === true });
      if (problems.length > 0) return refused(problems);
      return `Accepted: ${counted(proposals.count, "operation")} in all. When everything is there, call submit_reply.`;
    },
  };
}

function submitReply(proposals: Proposals): ModelTool {
  const { $schema: _dialect, title: _title, required: _needed, ...schema } = replyJsonSchema();
  return {
    name: "submit_reply",
    description:
      "The last word of your turn: a summary, the signal, notes, a question. It includes what you proposed: leave file_operations out then.",
    schema,
    call: (reply) => submitted(proposals, reply),
  };
}

function submitAudit(proposals: Proposals): ModelTool {
  const { $schema: _dialect, title: _title, ...schema } = auditorJsonSchema();
  return {
    name: "submit_reply",
    description: "The last word of your turn: your verdict with its evidence and findings.",
    schema,
    call: (audit) => submitted(proposals, audit),
  };
}

function submitted(proposals: Proposals, reply: unknown): string {
  const problems = proposals.submit(reply);
  return problems.length > 0 ? refused(problems) : "Accepted. Your turn is over.";
}

function refused(problems: readonly Problem[]): string {
  return [
    `Refused, and nothing of this call was kept (${counted(problems.length, "problem")}):`,
    ...problemLines(problems),
  ].join("\n");
}

function object(properties: Given, required: readonly string[] = []): Given {
  return { type: "object", properties, required, additionalProperties: false };
}
