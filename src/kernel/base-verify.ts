/**
 * The commit that a run begins at, verified once. Where the commands fail there already no agent is to blame: agents and the
 * person are told, and the run goes on, since a plan may be there to put exactly that right.
 */
import type { EvidenceFacts } from "./event.ts";
import { isComplete } from "./finish.ts";
import { evidenceKey, type OwnState, type State } from "./state.ts";

/** So long the first turns wait for it; slower commands go on beside them. In run time, which begins with the run. */
export const baseVerifyPatienceMs = 60_000;

export function needsBaseVerify(state: State): boolean {
  const { run, status, baseVerify } = state;
  if (status.name !== "running" && status.name !== "paused") return false;
  if (run?.settings.verify_base !== true || run.settings.verify.length === 0) return false;
  return baseVerify === undefined && !isComplete(state);
}

export function isBaseAwaited(state: State, now: number): boolean {
  return now < baseVerifyPatienceMs && needsBaseVerify(state);
}

/** What failed at the base, as long as nothing on the run's branch passed. */
export function brokenBase(state: State): { readonly base: string; readonly why: string } | undefined {
  const { run, baseVerify, evidence, tipTree } = state;
  if (!run || !baseVerify || baseVerify.passed) return undefined;
  return evidence.has(evidenceKey(tipTree, run.settings.verify))
    ? undefined
    : { base: run.base, why: baseVerify.why };
}

/** In words, to follow "the verify commands failed": whether one of these that failed did at the base too. */
export function asAtBase(state: State, { commands }: EvidenceFacts): string {
  const broken = brokenBase(state);
  const isSame = failedOf(commands).some((command) => state.baseVerify?.failed.includes(command));
  return broken && isSame ? `, as they did at the base ${broken.base.slice(0, 12)}, before any agent` : "";
}

export function onBaseVerified(state: OwnState, evidence: EvidenceFacts, why: string | undefined): void {
  state.baseVerify = { passed: why === undefined, why: why ?? "", failed: failedOf(evidence.commands) };
}

function failedOf(commands: EvidenceFacts["commands"]): string[] {
  return commands.flatMap(({ command, exit }) => (exit === 0 ? [] : [command]));
}
