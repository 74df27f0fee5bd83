/** What verify commands printed, as it was kept with the evidence: each command, how it ended, and its lines. */
import { oneLine, printableLines } from "../std/printable.ts";
import { duration } from "./duration.ts";
import { type Look, lineText } from "./line.ts";

export interface Verification {
  /** Nothing where it was of the whole run. */
  readonly task: string | null;
  readonly passed: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly tree: string;
  /** Of all commands together; nothing when it passed. */
  readonly why: string | null;
  readonly commands: readonly PrintedCommand[];
  /** The file it is kept in. */
  readonly path: string;
}

export interface PrintedCommand {
  readonly command: string;
  readonly exit: number | null;
  readonly ms: number;
  /** The end of what it printed. */
  readonly output: string;
}

export function verificationText(
  { task, passed, at, why, commands, path }: Verification,
  look: Look,
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

/** What is kept is bounded already, in bytes. */
const linesMax = 100_000;
const widthMax = 100_000;

function endWords({ command, exit, ms }: PrintedCommand): string {
  const end = exit === null ? "was ended" : `exit code ${exit}`;
  return `${oneLine(command, 200)}: ${end} after ${duration(ms)}`;
}
