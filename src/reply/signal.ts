/**
 * The signals by which an agent says how its task stands, and the grammar of one line of them:
 * the words, a colon or a dash, and what it is about (`READY FOR AUDIT: users`, `AUDIT PASSED - users`).
 */
import { cutAt } from "../std/cut.ts";
import type { Question } from "./question.ts";

export type Signal =
  | { readonly name: TaskSignalName; readonly text: string }
  | { readonly name: "HEALTH AUDIT"; readonly isHealthy: boolean; readonly text: string }
  | { readonly name: "SEEKING DIVINE CLARIFICATION"; readonly question: Question }
  | { readonly name: "DELEGATION REQUEST"; readonly text: string }
  | { readonly name: "AGENT COMPLETE"; readonly agent: string; readonly text: string }
  | { readonly name: "OUT_OF_SCOPE"; readonly from: string; readonly to: string; readonly text: string };

/** These name the task. */
export type TaskSignalName =
  | "READY FOR AUDIT"
  | "AUDIT PASSED"
  | "AUDIT FAILED"
  | "AUDIT BLOCKED"
  | "INFRA BLOCKED"
  | "TASK INCOMPLETE"
  | "ROLLBACK REQUIRED";

export type SignalName = Signal["name"];

/** A checkpoint is not the state of a task: it may stand beside a signal, and more than once. */
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
  /** The id, `HEALTHY`, or both ends of a route; empty where nothing stands. */
  readonly subject: readonly string[];
  /** What else stands on the line. */
  readonly text: string;
  /** The words are there, but what follows them is not what must follow. */
  readonly isMalformed: boolean;
}

/** Undefined when the line does not begin with the words of a signal. */
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

/** How the line is written, for whoever got it wrong. */
export function writtenSignal(name: LineName, task = "the-task-id"): string {
  switch (about[name]) {
    case "task":
      return name.startsWith("AUDIT") ? `${name} - ${task}` : `${name}: ${task}`;
    case "health":
      return `${name}: HEALTHY (or UNHEALTHY)`;
    case "words":
      return name;
    case "agent":
      return `${name}: the-agent-id`;
    case "route":
      return `${name}: what was asked → who should be asked`;
  }
}

/** No id is longer, and no sentence that belongs on the line of a signal. */
const lineMax = 2_000;

function isWordPart(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}_]/u.test(char);
}

/** An id, however it was dressed (`#users`, "`users`", `users.`), and what follows it. */
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
