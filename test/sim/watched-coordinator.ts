/** The real coordinator, watched: checks what it records, reports and refuses, and that its state matches the log. */
import { isDeepStrictEqual } from "node:util";
import type { Journal } from "../../src/journal/journal.ts";
import type { Admitted, Command } from "../../src/kernel/command.ts";
import { decide } from "../../src/kernel/decide.ts";
import { fromSnapshot, toSnapshot } from "../../src/kernel/snapshot.ts";
import type { MutableState, State } from "../../src/kernel/state.ts";
import { Coordinator } from "../../src/runtime/loop/coordinator.ts";
import type { RunClock } from "../../src/world/time/run-clock.ts";
import type { World } from "./world.ts";

export class WatchedCoordinator extends Coordinator {
  #submits = 0;

  constructor(
    private readonly world: World,
    parts: { clock: RunClock; journal: Journal; restored?: MutableState | undefined },
  ) {
    super(parts);
    this.watch({ onRecorded: (recorded) => world.ledger.told(recorded) });
    if (parts.restored) this.check();
  }

  override submit(command: Command): Admitted {
    const { coverage, ledger } = this.world;
    const admitted = super.submit(command);
    coverage.command(command.command);
    if ("refused" in admitted) {
      coverage.refusal(admitted.refused);
      this.world.note(`  refused ${command.command}: ${JSON.stringify(admitted).slice(0, 200)}`);
    } else ledger.decided();
    this.#submits += 1;
    if (this.#submits % 3 === 0 && this.state.run)
      for (const { effect } of decide(this.state, this.now()).effects) coverage.effect(effect);
    if (this.#submits % checkEvery === 0) this.check();
    return admitted;
  }

  /** The live state, the shadow and a snapshot must agree, and so must the indexes that speed up queries. */
  check(): void {
    const { world, state } = this;
    const live = toSnapshot(state);
    if (!isDeepStrictEqual(live, toSnapshot(world.ledger.shadow)))
      world.violate("replay", `after ${state.seq} events the state is not what they make of it`);
    const again = fromSnapshot(structuredClone(live));
    if (!isDeepStrictEqual(toSnapshot(again), live))
      world.violate("replay", `a snapshot after ${state.seq} events is not what it was made from`);
    if (!isDeepStrictEqual(indexOf(state), indexOf(again)))
      world.violate(
        "index",
        `after ${state.seq} events: ${JSON.stringify([indexOf(state), indexOf(again)])}`,
      );
  }
}

/** Checking every submit would be expensive and find nothing more: a wrong state stays wrong. */
const checkEvery = 20;

/** The index as plain data, including the order of what is due. */
function indexOf({ index }: State): unknown {
  const { ready, byRank, dueWork, dueAudits, verifying, reserving, openQuestions, ...rest } = index;
  const readyRanks: number[] = [];
  for (let rank = ready.next(0); rank !== undefined; rank = ready.next(rank + 1)) readyRanks.push(rank);
  return {
    ...rest,
    ready: readyRanks,
    byRank: byRank.map(({ facts }) => facts.task),
    dueWork: [...dueWork],
    dueAudits: [...dueAudits],
    verifying: [...verifying],
    reserving: [...reserving].sort(),
    openQuestions: [...openQuestions],
  };
}
