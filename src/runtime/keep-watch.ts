/**
 * Watch over a turn that nothing holds to its desk: a look before it and one after it. What changed in between is told.
 * What only somebody changes who has no business there fails the turn; what a person changes too, who saves and commits
 * while a run goes on, fails it only where the plan or the configuration says so.
 */
import type { TurnOutcome } from "../driver/driver.ts";
import type { Sight } from "../git/repository.ts";
import type { TurnEnded } from "../kernel/command.ts";
import { foreignWrite, unwatched } from "../kernel/consequence.ts";
import type { Told } from "../kernel/event.ts";
import type { Phase, State, Task, Turn } from "../kernel/state.ts";
import { oneLine } from "../std/printable.ts";
import type { Bridge } from "./bridge.ts";

interface Watch {
  readonly turn: Turn;
  readonly before: Sight;
  /** Desks that nobody worked at, and what their task was doing then. */
  readonly idle: ReadonlyMap<string, Resting>;
}

/** Nothing where the system holds agents to their desks. */
export async function keepWatch({ state, hands }: Bridge, turn: Turn): Promise<Watch | undefined> {
  if (!hands.lookout.isNeeded()) return undefined;
  const idle = idleDesks(state);
  return { turn, idle, before: await hands.lookout.look({ desks: [...idle.keys()] }) };
}

/** How the turn ends, all things considered. */
export async function watched(
  bridge: Bridge,
  watch: Watch | undefined,
  { outcome, ended }: { readonly outcome: TurnOutcome; readonly ended: TurnEnded },
): Promise<TurnEnded> {
  if (!watch) return outcome.isUnheld ? distrusted(bridge, ended) : ended;
  const { state, hands } = bridge;
  const { turn, before, idle } = watch;
  const stillIdle = [...idleDesks(state)].filter(([name, now]) => isUndisturbed(idle.get(name), now));
  const after = await hands.lookout.look({ desks: stillIdle.map(([name]) => name), since: before });
  const items = differences(before, after).map((one) => told(one, turn));
  if (items.length === 0) return ended;
  bridge.submit({ command: "outside-changed", turn: turn.turn, items: items.slice(0, itemsMax) });
  const isStrict = state.run?.settings.on_outside_change === "fail";
  const failing = items.filter(({ code }) => isStrict || code === foreignWrite);
  if (failing.length === 0 || ended.how === "cancelled") return ended;
  return { how: "crashed", code: foreignWrite, message: summed(failing), lastLine: "" };
}

/** Nobody looked before it, so nobody can say what it did; the next one is watched. */
function distrusted(bridge: Bridge, ended: TurnEnded): TurnEnded {
  bridge.hands.lookout.distrust();
  bridge.submit({ command: "find-confinement", holds: false });
  if (ended.how !== "replied") return ended;
  const message = "the system did not hold it to its desk, and nobody watched what it did";
  return { how: "crashed", code: unwatched, message, lastLine: "" };
}

interface Resting {
  readonly since: number;
  readonly phase: Phase["name"];
  readonly attempt: number;
}

/** Of developers: an auditor's is made anew for each audit, so nothing that stands there matters to anybody. */
function idleDesks(state: State): Map<string, Resting> {
  const idle = new Map<string, Resting>();
  for (const task of state.tasks.values()) {
    const { facts, since, phase, attempt } = task;
    if (task.desk && isLeft(task) && !isDeveloped(state, task))
      idle.set(facts.key, { since, phase: phase.name, attempt });
  }
  return idle;
}

/** Also by somebody whom nobody wants any more and who has not ended yet. */
function isDeveloped({ turns }: State, { facts }: Task): boolean {
  return [...turns.values()].some(({ task, role }) => task === facts.task && role === "developer");
}

function isLeft({ phase }: Task): boolean {
  if (phase.name === "working") return phase.step === "due";
  return phase.name !== "verified" && phase.name !== "reverting";
}

/** It rested all the while, or was judged and merged, which happens elsewhere; but in one round, as the next begins there. */
function isUndisturbed(before: Resting | undefined, now: Resting): boolean {
  if (!before) return false;
  if (before.since === now.since) return true;
  return before.attempt === now.attempt && isJudged(before) && isJudged(now);
}

function isJudged({ phase }: Resting): boolean {
  return phase === "auditing" || phase === "integrating";
}

interface Difference {
  readonly path: string;
  readonly isUsers: boolean;
}

function differences(before: Sight, after: Sight): Difference[] {
  return [...after].flatMap(([place, { isUsers, marks }]) => {
    const were = before.get(place)?.marks;
    if (!were) return [];
    const paths = [...new Set([...were.keys(), ...marks.keys()])];
    return paths.filter((path) => were.get(path) !== marks.get(path)).map((path) => ({ path, isUsers }));
  });
}

/** More of them say no more; how many there were is said. */
const itemsMax = 20;

function told({ path, isUsers }: Difference, { task, agent }: Turn): Told {
  const during = `while ${oneLine(agent, 60)} worked at ${oneLine(task, 80)} without a sandbox`;
  const shown = oneLine(path, 200);
  return isUsers
    ? {
        code: "WS_OUTSIDE_CHANGED",
        path,
        message: `${shown} changed ${during}; look at it, if it was not you`,
      }
    : { code: foreignWrite, path, message: `${shown} was written ${during}; look at it, nothing was undone` };
}

function summed(items: readonly Told[]): string {
  const shown = items.slice(0, 3).map(({ path = "" }) => oneLine(path, 120));
  const more = items.length > shown.length ? ` and ${items.length - shown.length} more` : "";
  return `something outside its desk was written while it worked without a sandbox: ${shown.join(", ")}${more}`;
}
