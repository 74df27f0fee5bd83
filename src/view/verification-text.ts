/** The output of verify commands, as stored with the evidence: each command, how it ended, and its lines. */
import { oneLine, printableLines } from "../std/printable.ts";
import { duration } from "./text/duration.ts";
import { type Display, lineText } from "./text/line.ts";

export interface Verification {
  /** Null if the whole run was verified. */
  readonly task: string | null;
  readonly passed: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tree: string;
  /** Why it failed, for all commands together; null if it passed. */
  readonly why: string | null;
  readonly commands: readonly PrintedCommand[];
  /** The file it is stored in. */
  readonly path: string;
}

export interface PrintedCommand {
  readonly command: string;
  readonly exit: number | null;
  readonly ms: number;
  /** The end of its output. */
  readonly output: string;
}

export function verificationText(
  { task, passed, at, why, commands, path }: Verification,
  look: Display,
): string {
  const of = task === null ? "the whole run" : oneLine(task, 80);
  const when = new Date(at).toISOString().slice(0, 19).replace("T", " ");
  const last = commands.length - 1;
  return [
    lineText([["bold", of], `  ${passed ? "verified" : "not verified"}`, ["dim", `  ${when} UTC`]], look),
    ...commands.flatMap((one, place) => [
      lineText([place === last && !passed ? ["red", "  ✗ "] : ["green", "  ✓ "], endWords(one)], look),
      ...printableLines(one.output, { lines: linesMax, width: widthMax }).map((line) => `    ${line}`),
      ...(one.output === "" ? [lineText([["dim", "    it printed nothing"]], look)] : []),
    ]),
    ...(commands.length === 0 && why !== null ? [`  ${oneLine(why, 400)}`] : []),
    lineText([["dim", `  ${oneLine(path, 400)}`]], look),
    "",
  ].join("\n");
}

/** What is stored is already limited in bytes. */
const linesMax = 100_000;
const widthMax = 100_000;

function endWords({ command, exit, ms }: PrintedCommand): string {
  const end = exit === null ? "was ended" : `exit code ${exit}`;
  return `${oneLine(command, 200)}: ${end} after ${duration(ms)}`;
}
