/**
 * What the commands have in common that decide one thing about a run and leave: enter, hand the decision to whoever writes
 * the run, and say what became of it. Each command brings its own words.
 */
import type { Recorded } from "../journal/journal.ts";
import type { Decider } from "../kernel/decider.ts";
import type { State } from "../kernel/state.ts";
import { type Steering, steer, unanswered } from "../runtime/steer.ts";
import type { Problem } from "../std/problem.ts";
import { problemDocument } from "../view/document.ts";
import { refusalProblem } from "../view/refusals.ts";
import type { Door } from "./door.ts";
import { enterRun } from "./enter-run.ts";
import { type ExitCode, exit } from "./exit.ts";
import type { RunMeans } from "./run-means.ts";
import { tellChanged } from "./tell-changed.ts";
import { tellProblems } from "./tell-problems.ts";

export interface Wish {
  readonly command: Steering["command"];
  readonly run: string | undefined;
  decide(state: State, by: Decider): Steering | { readonly problem: Problem };
  /** One or two sentences: what is now, and what to type next. */
  words(done: Done): string;
}

export interface Done {
  /** As it was before. */
  readonly state: State;
  readonly events: readonly Recorded[];
  /** A process works on the run, and goes on by itself. */
  readonly isRunning: boolean;
}

export async function steerRun(door: Door, means: RunMeans, wish: Wish): Promise<ExitCode> {
  const { command } = wish;
  const entry = await enterRun(door, means, wish);
  if ("left" in entry) return entry.left;
  const { world, folder, seen } = entry.entered;
  const warnings = command === "retry" ? tellChanged(door, means, entry.entered) : [];
  const decision = wish.decide(seen.state, { who: means.user, door: "command" });
  if ("problem" in decision) return tellProblems(door, command, [decision.problem], exit.usage);
  const steered = await steer(world, folder, decision);
  switch (steered.kind) {
    case "refused":
      return tellProblems(door, command, [refusalProblem(steered.refusal)], exit.refused);
    case "unanswered":
      return tellProblems(door, command, [unanswered], exit.locked);
    case "recorded":
      tell(door, folder.run, wish, { state: seen.state, ...steered, warnings });
      return exit.done;
  }
}

function tell(
  { terminal }: Door,
  run: string,
  wish: Wish,
  { warnings, ...done }: Done & { readonly warnings: readonly Problem[] },
): void {
  if (!terminal.json) {
    terminal.print(`${terminal.paint("green", "✓")} ${wish.words(done)}\n`);
    return;
  }
  const recorded = done.events.map(({ seq, event, data }) => ({ seq, event, data }));
  terminal.print(
    `${JSON.stringify({ ok: true, command: wish.command, run, is_running: done.isRunning, recorded, warnings: warnings.map(problemDocument), errors: [] })}\n`,
  );
}
