/**
 * Asks for a limit on turns or time before a run whose money budget could never end it. If nobody can be asked, the run
 * does not begin, and the problem names the line to write.
 */
import type { UncountedBudget } from "../../config/crew/crew.ts";
import { isBounded, uncountedProblem } from "../../config/crew/uncounted-budget.ts";
import { settingsOf } from "../../config/settings/effective-settings.ts";
import { type Budget, readBudget } from "../../plan/value-readers.ts";
import type { ConsideredPlan } from "../../runtime/start/consider-plan.ts";
import type { Problem } from "../../std/problem.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";

export type AskedLimit =
  /** The run's whole budget including the limit; missing if no limit was needed. */
  { readonly budget?: Budget } | { readonly problem: Problem; readonly exit: ExitCode };

export async function askLimit(
  door: CommandContext,
  { crew, settings }: ConsideredPlan,
): Promise<AskedLimit> {
  const { uncounted } = crew;
  if (!uncounted) return {};
  const problem = uncountedProblem(uncounted);
  const isAsked = !door.values.has("no-input") && !door.terminal.json;
  const person = isAsked ? door.findPerson() : undefined;
  if (!person) return { problem, exit: exit.usage };
  person.tell(problemsText([problem], "warning", door.terminal.noticePaint));
  for (let tries = 0; tries < triesMax; tries += 1) {
    const answer = await person.ask(questionFor(uncounted), door.signal);
    door.signal.throwIfAborted();
    if (answer === undefined || answer === "") break;
    const limit = limitIn(answer);
    if (limit) return { budget: { ...settingsOf(settings).budget, ...limit } };
    person.tell("Type a number of turns, or a time with its unit: 40 turns, 2 h\n");
  }
  return { problem, exit: exit.refused };
}

const triesMax = 3;

function questionFor({ turns }: UncountedBudget): string {
  return `At most how many turns, or how long? (for example: ${turns} turns, or 2 h) `;
}

/** A bare number means turns. */
function limitIn(answer: string): Budget | undefined {
  const reading = readBudget(/^\d+$/.test(answer) ? `${answer} turns` : answer);
  return "value" in reading && isBounded(reading.value) ? reading.value : undefined;
}
