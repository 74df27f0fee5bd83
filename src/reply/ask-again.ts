/**
 * The text sent back to an agent whose reply could not be used: every problem with its place and its fix, and the form
 * of a correct reply.
 *
 * The form is indented and full of words that no check accepts, so that an agent program that prints its prompt back
 * does not thereby give an answer.
 */
import { counted } from "../std/counted.ts";
import { oneLine } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { roleSignals } from "./signal/role-signals.ts";
import { type SignalName, writtenSignal } from "./signal/signal.ts";

export interface AskAgainInput {
  readonly role: "developer" | "auditor";
  /** The tag of the turn that is about to begin. */
  readonly fence: string;
  /** The attempt that is about to begin, from 1. */
  readonly attempt: number;
  readonly attemptsMax: number;
  readonly task?: string;
  /** The agent's changes at its desk are captured. */
  readonly desk?: boolean;
}

export function askAgain(problems: readonly Problem[], asking: AskAgainInput): string {
  const { attempt, attemptsMax } = asking;
  const last = attempt >= attemptsMax ? " It is the last one: after it the task fails." : "";
  return [
    "Your reply could not be used, and nothing of it was applied. Send the whole reply again, corrected.",
    `This is attempt ${attempt} of ${attemptsMax}.${last}`,
    "",
    `What was wrong (${counted(problems.length, "problem")}):`,
    "",
    ...problemLines(problems),
    "",
    `The form of the reply, in a block that opens with \`\`\`${asking.fence} at the beginning of a line:`,
    "",
    ...form(asking).map((line) => `    ${line}`),
    "",
    ...alternatives(asking),
    "",
  ].join("\n");
}

/** A model reads all of them, and more would not help. Together with the limit of one problem, this bounds the text. */
const problemsMax = 20;
const messageMax = 300;
const placeMax = 200;

export function problemLines(problems: readonly Problem[]): string[] {
  const lines = problems
    .slice(0, problemsMax)
    .flatMap(({ code, message, hint, ...place }, index) => [
      `${index + 1}. ${oneLine(code, 40)}${placeOf(place)}: ${oneLine(message, messageMax)}`,
      `   ${oneLine(hint, messageMax)}`,
    ]);
  const left = problems.length - problemsMax;
  return left > 0 ? [...lines, `… and ${counted(left, "more problem")}; correct these first.`] : lines;
}

function placeOf({ index, path, field }: Pick<Problem, "index" | "path" | "field">): string {
  const parts = [
    ...(index === undefined ? [] : [`file_operations[${index}]`]),
    ...[path, field].flatMap((part) => (part === undefined ? [] : [oneLine(part, placeMax)])),
  ];
  return parts.length === 0 ? "" : ` at ${parts.join(", ")}`;
}

function form({ role, fence }: AskAgainInput): string[] {
  return [`\`\`\`${fence}`, ...(role === "auditor" ? auditForm : replyForm), "```"];
}

const replyForm = [
  "{",
  '  "file_operations": [',
  '    { "operation": "create | edit | append | delete", "file_path": "path/from/the/root", "description": "what and why",',
  '      "content": "create, append: the complete text",',
  '      "edits": [{ "old_string": "edit: exact text of the file", "new_string": "what stands there instead" }] }',
  "  ],",
  '  "specialist_summary": "what you did",',
  '  "notes": [{ "description": "an assumption or a doubt", "status": "open, escalated or resolved" }],',
  '  "signal": "one of the signals below"',
  "}",
];

const auditForm = [
  "{",
  '  "verdict": "PASS | FAIL | BLOCKED",',
  '  "summary": "your judgement",',
  '  "evidence": [{ "criterion": "a success criterion", "evidence": "what shows that it is met" }],',
  '  "findings": [{ "severity": "blocking | advice", "file": "path", "line": 1, "problem": "what is wrong", "fix": "what to do" }]',
  "}",
];

/** What must accompany a signal that is not enough alone. */
const beside: Partial<Record<SignalName, string>> = {
  "TASK INCOMPLETE": ", with the reason",
  "INFRA BLOCKED": ", with what is missing",
  "SEEKING DIVINE CLARIFICATION": ', with a "question": { "text": "…" }',
};

function alternatives({ role, task, desk }: AskAgainInput): string[] {
  if (role === "auditor") {
    const lines = roleSignals.auditor.offered.map((name) => writtenSignal(name, task));
    return [
      `Or in words, with one of these on a line of its own and your reasons below it: ${lines.join(" | ")}`,
    ];
  }
  const signals = `Signals: ${roleSignals.developer.offered.map((name) => `${name}${beside[name] ?? ""}`).join(" | ")}`;
  return desk
    ? [
        'Changes that you made with your own tools count by themselves: then leave "file_operations" out.',
        signals,
      ]
    : [signals];
}
