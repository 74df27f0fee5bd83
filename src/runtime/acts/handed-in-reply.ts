/**
 * Builds a turn's reply from what the agent handed in through its tools or tried to edit itself. What the agent printed
 * is stored beside it. If the agent also named operations, its other attempted edits do not count, and that is reported.
 */
import { canonicalPath } from "../../change/path.ts";
import type { TurnOutcome } from "../../driver/driver.ts";
import type { WorkMode } from "../../driver/work-modes.ts";
import type { Turn } from "../../kernel/state.ts";
import { readHandedIn } from "../../reply/handed-in.ts";
import { readReply } from "../../reply/read.ts";
import { oneLine } from "../../std/printable.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { Ports } from "../loop/ports.ts";

interface Ended {
  readonly turn: Turn;
  readonly mode: WorkMode;
  /** An earlier reply's operations were already carried out at the desk. */
  readonly isWorkAtDesk: boolean;
  /** The desk's folder. */
  readonly desk: string;
  readonly scratch: string;
  readonly outcome: TurnOutcome;
}

export async function withHandedIn(
  ports: Ports,
  { turn, mode, isWorkAtDesk, desk, scratch, outcome }: Ended,
): Promise<TurnOutcome> {
  const lines = ports.scratch.handedIn(scratch);
  if (lines === "") return outcome;
  const { role, task, fenceTag } = turn;
  const rules = { task, desk: mode === "desk", isWorkAtDesk };
  const proposals = readHandedIn(lines, { role, ...rules });
  const printed = decodeUtf8(outcome.reply);
  const text = proposals.replyText(fenceTag, printed);
  const { reply } = readReply(text ?? printed, { fence: fenceTag, ...rules });
  const named = new Set(reply?.operations.map(({ filePath }) => spelled(filePath, desk)));
  const leftOut = named.size === 0 ? [] : proposals.triedPaths.filter((path) => !named.has(path));
  const withMisconduct = { ...outcome, misconduct: [...outcome.misconduct, ...leftOutWords(leftOut)] };
  if (text === undefined || text === printed) return withMisconduct;
  await ports.archive.keep(`turns/${turn.turn}/printed.txt`, outcome.reply);
  return { ...withMisconduct, reply: encodeUtf8(text) };
}

/** The canonical spelling of the path, if it has one. */
function spelled(path: string, desk: string): string {
  const canonical = canonicalPath(path, desk);
  return "path" in canonical ? canonical.path : path;
}

function leftOutWords(paths: readonly string[]): TurnOutcome["misconduct"] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, 10).map((path) => oneLine(path, 200));
  const named = `${shown.join(", ")}${paths.length > shown.length ? ", …" : ""}`;
  const message = `it tried to edit ${named} itself, and also sent operations on other files: only the operations count`;
  return [{ code: "EDITS_LEFT_OUT", message }];
}
