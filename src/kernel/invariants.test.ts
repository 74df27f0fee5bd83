import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPlan } from "../../test/kernel/any-plan.ts";
import { mishaps, wantedNext, wordsOfPeople } from "../../test/kernel/chance.ts";
import { drain } from "../../test/kernel/drain.ts";
import { Story } from "../../test/kernel/given.ts";
import { holdsAfterCommand, holdsAfterEvent } from "../../test/kernel/invariants.ts";
import { sized } from "../../test/sized.ts";
import type { Command } from "./command.ts";
import { evolve } from "./evolve.ts";
import { initialState } from "./initial.ts";
import type { RunStarted } from "./run-started.ts";
import { toSnapshot } from "./snapshot.ts";

/** Which kind of command comes next, and which one of that kind. */
const choices = fc.array(
  fc.record({
    kind: fc.constantFrom("wanted", "wanted", "wanted", "wanted", "mishap", "person", "again"),
    which: fc.nat(999),
  }),
  { minLength: 30, maxLength: 150, size: "max" },
);

test("the invariants of a run hold whatever happens to it", () => {
  fc.assert(
    fc.property(anyPlan, choices, (run, chosen) => {
      const story = watched(run);
      const told: Command[] = [];
      for (const choice of chosen) {
        const command = pick(story, told, choice);
        if (!command) continue;
        told.push(command);
        if ("refused" in story.ask(command))
          expect(choice.kind, `what is wanted is admitted: ${JSON.stringify(command)}`).not.toBe("wanted");
        else story.tell(command);
        holdsAfterCommand(story);
      }
      story.when(drain);
      holdsAfterCommand(story);
      const { name, ...rest } = story.state.status;
      const { index, finalVerify } = story.state;
      const isDone = index.counts.failed === 0 && finalVerify?.passed !== false;
      expect({ name, ...rest }).toEqual({ name: "finished", outcome: isDone ? "done" : "failed" });
      const replayed = initialState();
      for (const occurred of story.log) evolve(replayed, occurred);
      expect(toSnapshot(replayed)).toEqual(toSnapshot(story.state));
    }),
    { numRuns: sized({ sample: 16, campaign: 80 }) },
  );
});

test("a run without failures is done, and commits each task once", () => {
  fc.assert(
    fc.property(anyPlan, (run) => {
      const story = watched({ ...run, settings: { ...run.settings, budget: {} } }).when(drain);
      expect(story.state.status).toEqual({ name: "finished", outcome: "done" });
      const committed = story.events().filter((event) => event === "task_commit_recorded").length;
      expect(committed).toBe(run.tasks.filter(({ done }) => !done).length);
    }),
    { numRuns: sized({ sample: 10, campaign: 30 }) },
  );
});

function watched(run: RunStarted): Story {
  const story = new Story(run);
  story.watch = (occurred) => holdsAfterEvent(story, occurred);
  return story;
}

function pick(
  story: Story,
  told: readonly Command[],
  { kind, which }: { kind: string; which: number },
): Command | undefined {
  const from =
    kind === "wanted"
      ? wantedNext(story)
      : kind === "mishap"
        ? mishaps(story)
        : kind === "person"
          ? wordsOfPeople(story)
          : told;
  return from[which % Math.max(1, from.length)];
}
