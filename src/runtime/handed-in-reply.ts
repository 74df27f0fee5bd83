/** What a turn handed in through its tools, as the text of its reply. What the agent printed is kept beside it. */
import type { TurnOutcome, Way } from "../driver/driver.ts";
import type { Turn } from "../kernel/state.ts";
import { readHandedIn } from "../reply/handed-in.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { Hands } from "./hands.ts";

interface Ended {
  readonly turn: Turn;
  readonly way: Way;
  readonly scratch: string;
  readonly outcome: TurnOutcome;
}

export async function withHandedIn(
  hands: Hands,
  { turn, way, scratch, outcome }: Ended,
): Promise<TurnOutcome> {
  const lines = hands.scratch.handedIn(scratch);
  if (lines === "") return outcome;
  const proposals = readHandedIn(lines, { role: turn.role, task: turn.task, desk: way === "desk" });
  const text = proposals.replyText(turn.fenceTag, decodeUtf8(outcome.reply));
  if (text === undefined) return outcome;
  await hands.archive.keep(`turns/${turn.turn}/printed.txt`, outcome.reply);
  return { ...outcome, reply: encodeUtf8(text) };
}
