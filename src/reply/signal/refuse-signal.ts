/** Explains to the author why a reply's signal is refused: what was found, and the line to write instead. */
import { counted } from "../../std/counted.ts";
import { lineAt } from "../../std/place.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Source } from "../find/source.ts";
import type { Misplaced } from "./misplaced-signal.ts";
import { roleSignals, type SignalRole } from "./role-signals.ts";
import { type SignalLine, type SignalName, writtenSignal } from "./signal.ts";
import type { PlacedLine } from "./signal-lines.ts";

export function refuseUnknownSignal(written: string, role: SignalRole): Problem {
  return {
    code: "SIGNAL_UNKNOWN",
    message: `signal is ${quote(written, 60)}, which is not a signal`,
    hint:
      role === "developer"
        ? 'Write "READY FOR AUDIT" when the task is done, "TASK INCOMPLETE: why" when it is not; or leave it out.'
        : "Leave it out: the verdict says whether the task passed.",
    field: "signal",
  };
}

export function refuseManySignals({ text }: Source, primary: readonly PlacedLine[]): Problem {
  const seen = primary.slice(0, 5).map(({ line, from }) => `${line.name} (line ${lineAt(text, from)})`);
  return {
    code: "SIGNAL_MANY",
    message: `the reply gives ${counted(primary.length, "signal")}: ${seen.join(", ")}`,
    hint: "Give one signal, on a line of its own; put what you quote into a fenced block.",
  };
}

/** `line` is its line number in the text, from 1; undefined for the field of the object. */
export function refuseRole(
  name: SignalName,
  { role, task }: { readonly role: SignalRole; readonly task?: string },
  line?: number,
): Problem {
  const who = role === "developer" ? "a developer" : "an auditor";
  const where = line === undefined ? "signal" : `line ${line}`;
  const written = roleSignals[role].allowed.map((one) => writtenSignal(one, task));
  return {
    code: "SIGNAL_ROLE",
    message: `${where} says ${name}, which is not a signal that ${who} can give`,
    hint: `Write one of: ${written.join(" | ")}`,
    ...(line === undefined && { field: "signal" }),
  };
}

export function refuseForm({ name, text }: SignalLine, task?: string): Problem {
  return {
    code: "SIGNAL_FORM",
    message:
      text === ""
        ? `the signal ${name} is not complete`
        : `the signal ${name} is followed by ${quote(text, 60)}`,
    hint: `Write the line like this: ${writtenSignal(name, task)}`,
  };
}

export function refuseTask({ name, subject }: SignalLine, task: string): Problem {
  const [found] = subject;
  const said = found === undefined ? "does not say which task it is about" : `is about ${quote(found, 60)}`;
  return {
    code: "SIGNAL_TASK",
    message: `the signal ${name} ${said}; this turn is about ${oneLine(task, 80)}`,
    hint: `Write: ${writtenSignal(name, task)}`,
  };
}

export function refuseDisagreement(field: string, line: string): Problem {
  return {
    code: "SIGNAL_CONFLICT",
    message: `the reply says ${oneLine(field, 80)} in its object but ${oneLine(line, 80)} in its text`,
    hint: "Say the same in both, or leave the line out.",
    field: "signal",
  };
}

export function refuseQuestionBeside(name: string): Problem {
  return {
    code: "SIGNAL_CONFLICT",
    message: `the reply asks a question and says ${name}`,
    hint: 'Ask with "signal": "SEEKING DIVINE CLARIFICATION", or leave the question out and record it as a note.',
    field: "signal",
  };
}

export function refusePlace({ text }: Source, { name, at, found }: Misplaced, task?: string): Problem {
  return {
    code: "SIGNAL_PLACE",
    message: `line ${lineAt(text, at)} has a signal that does not count: ${quote(found, 80)}`,
    hint: `Write it at the beginning of a line, outside of blocks, with nothing before it: ${writtenSignal(name, task)}`,
  };
}

export function refuseSilence(name: keyof typeof silences): Problem {
  const [lack, hint] = silences[name];
  return { code: "SIGNAL_EMPTY", message: `the signal ${name} ${lack}`, hint };
}

const silences = {
  "SEEKING DIVINE CLARIFICATION": [
    "asks nothing",
    "Write what you need to know below the signal: Question: …, Options: with one - … on each line, Context: …",
  ],
  "TASK INCOMPLETE": [
    "gives no reason",
    "Write below the signal what is missing and why, so that the next attempt can begin there.",
  ],
  "DELEGATION REQUEST": [
    "asks nothing",
    `Write whom you would ask, and what: ${writtenSignal("DELEGATION REQUEST")}`,
  ],
  "ROLLBACK REQUIRED": ["gives no reason", "Write below the signal what must be rolled back, and why."],
} as const;
