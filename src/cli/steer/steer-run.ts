/**
 * Shared by the commands that make one decision about a run and exit: opens the run, passes the decision to the process
 * that writes it, and reports the result. Each command supplies its own words.
 */

import type { Recorded } from "../../journal/journal.ts";
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import type { State } from "../../kernel/state.ts";
import { type SteeringCommand, steer, unanswered } from "../../runtime/steer.ts";
import type { Problem } from "../../std/problem.ts";
import { problemDocument } from "../../view/text/document.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { refusalProblem } from "../../view/text/refusals.ts";
import { enterRunCommand } from "../begin/enter-run.ts";
import type { RunPorts } from "../begin/run-ports.ts";
import { tellChanged } from "../begin/tell-changed.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";

export interface SteerRequest {
  readonly command: SteeringCommand["command"];
  readonly run: string | undefined;
  decide(state: State, by: DecisionMaker): SteeringCommand | { readonly problem: Problem };
  /** One or two sentences: what has changed, and what to type next. */
  words(done: SteerDone): string;
}

export interface SteerDone {
  /** The state before the decision. */
  readonly state: State;
  readonly events: readonly Recorded[];
  /** A process is working on the run and will continue by itself. */
  readonly isRunning: boolean;
}

export async function steerRun(
  door: CommandContext,
  ports: RunPorts,
  request: SteerRequest,
): Promise<ExitCode> {
  const { command } = request;
  const entry = await enterRunCommand(door, ports, request);
  if ("left" in entry) return entry.left;
  const { world, folder, seen } = entry.entered;
  const warnings = command === "retry" ? tellChanged(door, ports, entry.entered) : [];
  const decision = request.decide(seen.state, { who: ports.user, door: "command" });
  if ("problem" in decision) return tellProblems(door, command, [decision.problem], exit.usage);
  const steered = await steer(world, folder, decision);
  switch (steered.kind) {
    case "refused":
      return tellProblems(door, command, [refusalProblem(steered.refusal)], exit.refused);
    case "unanswered":
      return tellProblems(door, command, [unanswered], exit.locked);
    case "recorded":
      tell(door, folder.run, request, { state: seen.state, ...steered, warnings });
      return exit.done;
  }
}

function tell(
  { terminal }: CommandContext,
  run: string,
  request: SteerRequest,
  { warnings, ...done }: SteerDone & { readonly warnings: readonly Problem[] },
): void {
  if (!terminal.json) {
    terminal.print(`${terminal.paint("green", "✓")} ${request.words(done)}\n`);
    return;
  }
  const recorded = done.events.map(({ seq, event, data }) => ({ seq, event, data }));
  terminal.print(
    jsonText({
      ok: true,
      command: request.command,
      run,
      is_running: done.isRunning,
      recorded,
      warnings: warnings.map(problemDocument),
      errors: [],
    }),
  );
}
