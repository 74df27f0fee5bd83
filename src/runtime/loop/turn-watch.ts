/**
 * Watches a turn that runs without a sandbox: takes a snapshot before and after it and reports what changed in between. A
 * change where only an intruder would write fails the turn. A change where a person may also write, by saving or
 * committing during the run, fails it only if the plan or the configuration says so.
 */
import type { TurnOutcome } from "../../driver/driver.ts";
import type { OutsideSnapshot } from "../../git/repository.ts";
import type { TurnEnded } from "../../kernel/command.ts";
import type { Finding } from "../../kernel/event.ts";
import { foreignWrite, unwatched } from "../../kernel/rules/agent/consequence.ts";
import type { Phase, State, Task, Turn } from "../../kernel/state.ts";
import { oneLine } from "../../std/printable.ts";
import type { ActContext } from "./act-context.ts";

interface TurnWatch {
  readonly turn: Turn;
  readonly before: OutsideSnapshot;
  /** Desks that were idle before the turn, and what their tasks were doing then. */
  readonly idle: ReadonlyMap<string, IdleDesk>;
}

/** Undefined if a sandbox confines agents to their desks. */
export async function startTurnWatch(
  { state, ports }: ActContext,
  turn: Turn,
): Promise<TurnWatch | undefined> {
  if (!ports.outsideWatcher.isNeeded()) return undefined;
  const idle = idleDesks(state);
  return { turn, idle, before: await ports.outsideWatcher.snapshot({ desks: [...idle.keys()] }) };
}

/** How the turn ends, after comparing the snapshots. */
export async function endTurnWatch(
  context: ActContext,
  watch: TurnWatch | undefined,
  { outcome, ended }: { readonly outcome: TurnOutcome; readonly ended: TurnEnded },
): Promise<TurnEnded> {
  if (!watch) return outcome.ranUnconfined ? distrusted(context, ended) : ended;
  const { state, ports } = context;
  const { turn, before, idle } = watch;
  const stillIdle = [...idleDesks(state)].filter(([name, now]) => isUndisturbed(idle.get(name), now));
  const after = await ports.outsideWatcher.snapshot({
    desks: stillIdle.map(([name]) => name),
    since: before,
  });
  const items = differences(before, after).map((one) => outsideFinding(one, turn));
  if (items.length === 0) return ended;
  context.submit({ command: "outside-changed", turn: turn.turn, items: items.slice(0, itemsMax) });
  const isStrict = state.run?.settings.on_outside_change === "fail";
  const failing = items.filter(({ code }) => isStrict || code === foreignWrite);
  if (failing.length === 0 || ended.how === "cancelled") return ended;
  return { how: "crashed", code: foreignWrite, message: foreignWriteWords(failing), lastLine: "" };
}

/** There is no snapshot from before the turn, so nobody can say what it did. The next turn is watched. */
function distrusted(context: ActContext, ended: TurnEnded): TurnEnded {
  context.ports.outsideWatcher.distrust();
  context.submit({ command: "find-confinement", holds: false, hasLayers: false });
  if (ended.how !== "replied") return ended;
  const message = "it was not confined to its desk, and its changes outside were not watched";
  return { how: "crashed", code: unwatched, message, lastLine: "" };
}

interface IdleDesk {
  readonly since: number;
  readonly phase: Phase["name"];
  readonly attempt: number;
}

/** Only desks of developers. An auditor's desk is made fresh for each audit, so changes there do not matter. */
function idleDesks(state: State): Map<string, IdleDesk> {
  const idle = new Map<string, IdleDesk>();
  for (const task of state.tasks.values()) {
    const { facts, since, phase, attempt } = task;
    if (task.desk && isLeft(task) && !isDeveloped(state, task))
      idle.set(facts.key, { since, phase: phase.name, attempt });
  }
  return idle;
}

/** Includes a turn that is no longer wanted but has not ended yet. */
function isDeveloped({ turns }: State, { facts }: Task): boolean {
  return [...turns.values()].some(({ task, role }) => task === facts.task && role === "developer");
}

function isLeft({ phase }: Task): boolean {
  if (phase.name === "working") return phase.step === "due";
  return phase.name !== "done" && phase.name !== "reverting";
}

/**
 * The desk was idle all the time, or its work was judged and merged, which happens elsewhere. This must be the same
 * attempt, because the next one starts at the desk.
 */
function isUndisturbed(before: IdleDesk | undefined, now: IdleDesk): boolean {
  if (!before) return false;
  if (before.since === now.since) return true;
  return before.attempt === now.attempt && isJudged(before) && isJudged(now);
}

function isJudged({ phase }: IdleDesk): boolean {
  return phase === "auditing" || phase === "integrating";
}

interface Difference {
  readonly path: string;
  readonly isUsers: boolean;
}

function differences(before: OutsideSnapshot, after: OutsideSnapshot): Difference[] {
  return [...after].flatMap(([place, { isUsers, marks }]) => {
    const were = before.get(place)?.marks;
    if (!were) return [];
    const paths = [...new Set([...were.keys(), ...marks.keys()])];
    return paths.filter((path) => were.get(path) !== marks.get(path)).map((path) => ({ path, isUsers }));
  });
}

/** More items would not help. */
const itemsMax = 20;

function outsideFinding({ path, isUsers }: Difference, { task, agent }: Turn): Finding {
  const during = `while ${oneLine(agent, 60)} worked on ${oneLine(task, 80)} without a sandbox`;
  const shown = oneLine(path, 200);
  return isUsers
    ? {
        code: "WS_OUTSIDE_CHANGED",
        path,
        message: `${shown} changed ${during}; check it if that was not you`,
      }
    : { code: foreignWrite, path, message: `${shown} was written ${during}; check it, nothing was undone` };
}

function foreignWriteWords(items: readonly Finding[]): string {
  const shown = items.slice(0, 3).map(({ path = "" }) => oneLine(path, 120));
  const more = items.length > shown.length ? ` and ${items.length - shown.length} more` : "";
  return `something outside its desk was written while it worked without a sandbox: ${shown.join(", ")}${more}`;
}
