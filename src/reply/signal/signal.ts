/**
 * The signals by which an agent reports its task's status, and the grammar of a signal line: the words, a colon or a
 * dash, and what it is about (`READY FOR AUDIT: users`, `AUDIT PASSED - users`).
 */
import { cutAt } from "../../std/cut.ts";
import type { AgentQuestion } from "../note/question.ts";

export type Signal =
  | { readonly name: TaskSignalName; readonly text: string }
  | { readonly name: "HEALTH AUDIT"; readonly isHealthy: boolean; readonly text: string }
  | { readonly name: "SEEKING DIVINE CLARIFICATION"; readonly question: AgentQuestion }
  | { readonly name: "DELEGATION REQUEST"; readonly text: string }
  | { readonly name: "AGENT COMPLETE"; readonly agent: string; readonly text: string }
  | { readonly name: "OUT_OF_SCOPE"; readonly from: string; readonly to: string; readonly text: string };

/** Signals that name the task. */
export type TaskSignalName =
  | "READY FOR AUDIT"
  | "AUDIT PASSED"
  | "AUDIT FAILED"
  | "AUDIT BLOCKED"
  | "INFRA BLOCKED"
  | "TASK INCOMPLETE"
  | "ROLLBACK REQUIRED";

export type SignalName = Signal["name"];

/** A checkpoint is not a task's status: it may accompany a signal, and there may be several. */
export type LineName = SignalName | "Checkpoint";

type About = "task" | "health" | "words" | "agent" | "route";

const about: Readonly<Record<LineName, About>> = {
  "READY FOR AUDIT": "task",
  "AUDIT PASSED": "task",
  "AUDIT FAILED": "task",
  "AUDIT BLOCKED": "task",
  "INFRA BLOCKED": "task",
  "TASK INCOMPLETE": "task",
  "ROLLBACK REQUIRED": "task",
  "HEALTH AUDIT": "health",
  "SEEKING DIVINE CLARIFICATION": "words",
  "DELEGATION REQUEST": "words",
  "AGENT COMPLETE": "agent",
  OUT_OF_SCOPE: "route",
  Checkpoint: "task",
};

export const lineNames = Object.keys(about) as readonly LineName[];

export const signalNames = lineNames.filter((name): name is SignalName => name !== "Checkpoint");

export function namesTask(name: LineName): boolean {
  return about[name] === "task";
}

export interface SignalLine {
  readonly name: LineName;
  /** The id, `HEALTHY`, or both ends of a route; empty if missing. */
  readonly subject: readonly string[];
  /** The rest of the line. */
  readonly text: string;
  /** The words are there, but what follows them is wrong. */
  readonly isMalformed: boolean;
}

/** Undefined if the line does not begin with the words of a signal. */
export function parseSignalLine(line: string): SignalLine | undefined {
  const name = lineNames.find((words) => line.startsWith(words) && !isWordPart(line[words.length]));
  if (name === undefined) return undefined;
  const rest = cutAt(line.slice(name.length), lineMax).kept.trim();
  const malformed = { name, subject: [], text: rest, isMalformed: true };
  if (rest === "") return { ...malformed, isMalformed: !["task", "words"].includes(about[name]) };
  if (!":-–—".includes(rest[0] ?? "")) return malformed;
  const said = rest.slice(1).trim();
  switch (about[name]) {
    case "words":
      return { name, subject: [], text: said, isMalformed: false };
    case "task":
      return { name, ...firstWord(said), isMalformed: false };
    case "agent": {
      const { subject, text } = firstWord(said);
      return { name, subject, text, isMalformed: subject.length === 0 };
    }
    case "health": {
      const { subject, text } = firstWord(said);
      const isKnown = subject[0] === "HEALTHY" || subject[0] === "UNHEALTHY";
      return isKnown ? { name, subject, text, isMalformed: false } : malformed;
    }
    case "route": {
      const arrow = said.includes("→") ? "→" : "->";
      const [from = "", to = ""] = said.split(arrow, 2).map((end) => end.trim());
      return from === "" || to === ""
        ? malformed
        : { name, subject: [from, to], text: "", isMalformed: false };
    }
  }
}

/** How to write the line correctly. */
export function writtenSignal(name: LineName, task = "the-task-id"): string {
  switch (about[name]) {
    case "task":
      return name.startsWith("AUDIT") ? `${name} - ${task}` : `${name}: ${task}`;
    case "health":
      return `${name}: HEALTHY (or UNHEALTHY)`;
    case "words":
      return name === "DELEGATION REQUEST" ? `${name}: the-agent (advice): what is asked` : name;
    case "agent":
      return `${name}: the-agent-id`;
    case "route":
      return `${name}: what was asked → who should be asked`;
  }
}

/** No id is longer, and no sentence that belongs on a signal line. */
const lineMax = 2_000;

function isWordPart(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char);
}

/** An id, however it is decorated (`#users`, "`users`", `users.`), and what follows it. */
function firstWord(said: string): { subject: readonly string[]; text: string } {
  const space = said.search(/\s/);
  const word = space === -1 ? said : said.slice(0, space);
  let from = 0;
  while (from < word.length && "`#\"'<[(*".includes(word[from] ?? "")) from += 1;
  let end = word.length;
  while (end > from && "`\"'>])*.,;:!".includes(word[end - 1] ?? "")) end -= 1;
  const id = word.slice(from, end);
  let text = space === -1 ? "" : said.slice(space).trim();
  while (text !== "" && ":-–—,;".includes(text[0] ?? "")) text = text.slice(1).trimStart();
  return { subject: id === "" ? [] : [id], text };
}
