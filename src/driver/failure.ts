/** Messages for the ways in which a turn fails: the most telling fact first. */
import { counted } from "../std/counted.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { FailureCode, TurnHandle, TurnOutcome } from "./driver.ts";
import { outputCaps } from "./output/caps.ts";

type TurnEnd = TurnOutcome["ended"];
type Misconduct = TurnOutcome["misconduct"];

export function failure(code: FailureCode, message: string): Extract<TurnEnd, { kind: "failed" }> {
  return { kind: "failed", code, message };
}

/** A turn that failed before it began. */
export function failedTurn(code: FailureCode, message: string): TurnHandle {
  const ended = failure(code, message);
  const outcome = Promise.resolve({ ended, reply: new Uint8Array(), lastLine: "", misconduct: [] });
  return { outcome, cancel() {} };
}

/** Which agent failed, and its last line. */
export interface LastWords {
  readonly agent: string;
  readonly lastLine: string;
}

/** Applies even after a good reply: an agent that reports failure has failed. */
export function exitFailure({ agent, lastLine, code }: LastWords & { readonly code: number }): TurnEnd {
  return failure("AGENT_EXIT", `agent ${oneLine(agent)} ended with exit code ${code}${saying(lastLine)}`);
}

export function signalFailure({ agent, lastLine, signal }: LastWords & { readonly signal: string }): TurnEnd {
  return failure("AGENT_SIGNAL", `agent ${oneLine(agent)} was ended by ${signal}${saying(lastLine)}`);
}

export function outputLimitFailure({ agent, lastLine }: LastWords): TurnEnd {
  const limit = `${outputCaps.bytesMax / 1024 / 1024} MiB`;
  return failure(
    "AGENT_OUTPUT_LIMIT",
    `agent ${oneLine(agent)} printed more than ${limit}${saying(lastLine)}`,
  );
}

/** A failed turn when the prompt cannot be given to any agent; `undefined` when it can. */
export function promptFailure(prompt: string): TurnHandle | undefined {
  const at = prompt.indexOf("\0");
  if (at === -1) return undefined;
  const message = `the prompt holds a NUL character at offset ${at}, behind ${quote(prompt.slice(Math.max(0, at - 40), at))}: remove it from the document it was taken from`;
  return failedTurn("PROMPT_NUL", message);
}

/** Reports processes that escaped the end of their turn. */
export function escapeFailure(agent: string, pids: readonly number[]): Misconduct {
  if (pids.length === 0) return [];
  const named = pids.slice(0, 10).join(", ") + (pids.length > 10 ? ", …" : "");
  const message = `agent ${oneLine(agent)} left ${counted(pids.length, "descendant")} running outside its process group (pid ${named}); what could be ended was ended`;
  return [{ code: "AGENT_ESCAPED", message }];
}

function saying(lastLine: string): string {
  return lastLine === "" ? " without a word" : `; its last line was: "${lastLine}"`;
}
