/** `cox resume --budget`: checks that the new money limit can end the run. It cannot if an agent's cost is unknown. */
import { agentKind } from "../../config/crew/crew.ts";
import { isBounded, playersOf, uncountedProblem } from "../../config/crew/uncounted-budget.ts";
import { unknownCost } from "../../config/crew/unknown-cost.ts";
import type { Budget } from "../../plan/value-readers.ts";
import { reportsIn } from "../../runtime/agents-that-report.ts";
import { readInputs } from "../../runtime/folder/run-inputs.ts";
import type { Entered } from "../../runtime/start/enter-run.ts";
import type { Problem } from "../../std/problem.ts";
import type { CommandContext } from "../command-context.ts";

/**
 * Returns `undefined` if it can, or if no money limit was raised. An agent that reported its cost in this run counts as
 * known.
 */
export async function uncountedRaise(
  { files }: Pick<CommandContext, "files">,
  { folder, seen }: Pick<Entered, "folder" | "seen">,
  raised: Budget | undefined,
): Promise<Problem | undefined> {
  const { state } = seen;
  const budget = { ...state.budget, ...raised };
  if (raised?.usdMicros === undefined || isBounded(budget)) return undefined;
  const { agents } = readInputs(folder, state);
  const open = [...state.tasks.values()].filter(({ phase }) => phase.name !== "done");
  const used = new Set(open.flatMap(({ facts }) => playersOf(facts)));
  const unknown = [...agents.values()].flatMap((agent) => {
    const cost = used.has(agent.name) ? unknownCost(agent) : undefined;
    return cost ? [{ agent, cost }] : [];
  });
  if (unknown.length === 0) return undefined;
  const kinds = new Map([...agents].map(([name, agent]) => [name, agentKind(agent)]));
  const reports = await reportsIn(files, folder, kinds);
  const [first, ...others] = unknown.filter(({ agent }) => reports.get(agent.name) !== true);
  if (!first) return undefined;
  const turns = state.spent.turns + Math.max(10, 4 * open.length);
  const raise = { budget, agent: first.agent.name, others: others.length, why: first.cost.why, turns };
  const { code, message } = uncountedProblem(raise);
  const amount = `${raised.usdMicros / 1_000_000} USD, ${turns} turns`;
  return { code, message, hint: `Limit turns or time too: cox resume --budget "${amount}"` };
}
