/**
 * Verifies the commit that a run begins at, once. If the commands already fail there, no agent is to blame: agents and
 * the person are informed, and the run continues, because the plan may exist to fix exactly that.
 */
import type { CommitId } from "../../../std/object-id.ts";
import type { RecordedEvidence } from "../../event.ts";
import { evidenceKey, type MutableState, type State } from "../../state.ts";
import { isComplete } from "../run/finish.ts";

/** How long the first turns wait for it, in run time, which begins with the run. Slower commands run alongside them. */
export const baseVerifyWaitMs = 60_000;

export function needsBaseVerify(state: State): boolean {
  const { run, status, baseVerify } = state;
  if (status.name !== "running" && status.name !== "paused") return false;
  if (run?.settings.verify_base !== true || run.settings.verify.length === 0) return false;
  return baseVerify === undefined && !isComplete(state);
}

export function isBaseAwaited(state: State, now: number): boolean {
  return now < baseVerifyWaitMs && needsBaseVerify(state);
}

/** What failed at the base, until the same commands pass on the run's branch. */
export function brokenBase(state: State): { readonly base: CommitId; readonly why: string } | undefined {
  const { run, baseVerify, evidence, tipTree } = state;
  if (!run || !baseVerify || baseVerify.passed) return undefined;
  return evidence.has(evidenceKey(tipTree, run.settings.verify))
    ? undefined
    : { base: run.base, why: baseVerify.why };
}

/**
 * Continues the message "the verify commands failed": says whether one of the failed commands also failed at the base.
 */
export function asAtBase(state: State, { commands }: RecordedEvidence): string {
  const broken = brokenBase(state);
  const isSame = failedOf(commands).some((command) => state.baseVerify?.failed.includes(command));
  return broken && isSame ? `, as they did at the base ${broken.base.slice(0, 12)}, before any agent` : "";
}

export function onBaseVerified(
  state: MutableState,
  evidence: RecordedEvidence,
  why: string | undefined,
): void {
  state.baseVerify = { passed: why === undefined, why: why ?? "", failed: failedOf(evidence.commands) };
}

function failedOf(commands: RecordedEvidence["commands"]): string[] {
  return commands.flatMap(({ command, exit }) => (exit === 0 ? [] : [command]));
}
