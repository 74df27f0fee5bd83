/**
 * The whole environment of an agent: the clean one, the variables that the configuration names, its turn in words,
 * and its scratch folder as the place for temporary files.
 */
import { cleanEnvironment } from "../world/clean-environment.ts";
import type { TurnRequest } from "./driver.ts";
import { turnWords } from "./turn-words.ts";

export type OurEnvironment = Readonly<Record<string, string | undefined>>;

export function agentEnvironment(turn: TurnRequest, ours: OurEnvironment): Readonly<Record<string, string>> {
  const clean = cleanEnvironment(ours, { pass: turn.settings.passEnvironment ?? [] });
  return { ...clean, TMPDIR: turn.scratch, ...turnWords(turn) };
}
