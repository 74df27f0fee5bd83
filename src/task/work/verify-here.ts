/**
 * The port for verifying a task in the repository itself, and its rule: the user must trust every command here, and all
 * must pass, in order; otherwise the task is not completed.
 */

import type { DocumentPath } from "../../document/address.ts";
import { assert } from "../../std/assert.ts";
import { oneLine, printableLines, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { whereIs } from "../how-to.ts";

export interface VerifyHere {
  /** Whether the user has seen this command for this repository and approved it. */
  isTrusted(command: string): boolean;
  /** Never rejects. */
  run(what: { readonly command: string; readonly signal: AbortSignal }): Promise<VerifyEnd>;
}

export interface VerifyEnd {
  readonly passed: boolean;
  readonly exitCode: number | null;
  /** How it ended, if it did not pass: "exit code 1". */
  readonly why?: string;
  /** The end of its output. */
  readonly output: string;
}

export interface VerifyTaskRequest {
  readonly path: DocumentPath;
  readonly slug: string;
  readonly commands: readonly string[];
}

/** Undefined if all passed. */
export async function verifyTask(
  { path, slug, commands }: VerifyTaskRequest,
  { verify, signal }: { readonly verify: VerifyHere; readonly signal: AbortSignal },
): Promise<Problem | undefined> {
  const unseen = commands.filter((command) => !verify.isTrusted(command));
  if (unseen.length > 0) return untrusted(path, slug, unseen);
  for (const command of commands) {
    const end = await verify.run({ command, signal });
    signal.throwIfAborted();
    if (!end.passed) return failed(slug, command, end);
  }
  return undefined;
}

/** If a task's commands changed while they were run, it must be verified again. */
export function isSameVerify(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((command, at) => command === other[at]);
}

function untrusted(path: DocumentPath, slug: string, unseen: readonly string[]): Problem {
  const [first] = unseen;
  assert(first !== undefined, "there is a command that is not trusted");
  const more = unseen.length > 1 ? ` and ${unseen.length - 1} more` : "";
  return {
    code: "VERIFY_UNTRUSTED",
    path,
    message: `#${oneLine(slug, 100)} has the verify command ${quote(first, 120)}${more}, which has not been approved here; it was not run, and the task is not completed`,
    hint: `A person must look at it and type: cox approve ${whereIs(path)}`,
  };
}

const shown = { lines: 40, width: 300 };

function failed(slug: string, command: string, { exitCode, why, output }: VerifyEnd): Problem {
  const how = why ?? (exitCode === null ? "it did not end by itself" : `exit code ${exitCode}`);
  const tail = output.trimEnd().split("\n").slice(-shown.lines).join("\n");
  const words = printableLines(tail, shown).join("\n");
  return {
    code: "VERIFY_FAILED",
    message: `${quote(command, 120)} failed (${how}); #${oneLine(slug, 100)} is not completed${words === "" ? "" : `. It printed:\n${words}`}`,
    hint: "Fix what it found, then complete the task again.",
  };
}
