/**
 * What a turn handed in through its tools, or tried to change itself, as the text of its reply. What the agent printed is
 * kept beside it. Edits that count for nothing, because it named operations besides, are told.
 */
import { canonicalPath } from "../change/path.ts";
import type { TurnOutcome, Way } from "../driver/driver.ts";
import type { Turn } from "../kernel/state.ts";
import { readHandedIn } from "../reply/handed-in.ts";
import { readReply } from "../reply/read.ts";
import { oneLine } from "../std/printable.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { Hands } from "./hands.ts";

interface Ended {
  readonly turn: Turn;
  readonly way: Way;
  /** The folder. */
  readonly desk: string;
  readonly scratch: string;
  readonly outcome: TurnOutcome;
}

export async function withHandedIn(
  hands: Hands,
  { turn, way, desk, scratch, outcome }: Ended,
): Promise<TurnOutcome> {
  const lines = hands.scratch.handedIn(scratch);
  if (lines === "") return outcome;
  const { role, task, fenceTag } = turn;
  const rules = { task, desk: way === "desk" };
  const proposals = readHandedIn(lines, { role, ...rules });
  const printed = decodeUtf8(outcome.reply);
  const text = proposals.replyText(fenceTag, printed);
  const { reply } = readReply(text ?? printed, { fence: fenceTag, ...rules });
  const named = new Set(reply?.operations.map(({ filePath }) => spelled(filePath, desk)));
  const leftOut = named.size === 0 ? [] : proposals.triedPaths.filter((path) => !named.has(path));
  const told = { ...outcome, misconduct: [...outcome.misconduct, ...leftOutWords(leftOut)] };
  if (text === undefined || text === printed) return told;
  await hands.archive.keep(`turns/${turn.turn}/printed.txt`, outcome.reply);
  return { ...told, reply: encodeUtf8(text) };
}

/** In one spelling, where it has one. */
function spelled(path: string, desk: string): string {
  const canonical = canonicalPath(path, desk);
  return "path" in canonical ? canonical.path : path;
}

function leftOutWords(paths: readonly string[]): TurnOutcome["misconduct"] {
  if (paths.length === 0) return [];
  const shown = paths.slice(0, 10).map((path) => oneLine(path, 200));
  const named = `${shown.join(", ")}${paths.length > shown.length ? ", …" : ""}`;
  const message = `it tried to edit ${named} itself, and named operations that are of other files: only those count`;
  return [{ code: "EDITS_LEFT_OUT", message }];
}
