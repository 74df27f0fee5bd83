/** A world in which everything works and every person says yes: does whatever is wanted until the run is finished. */
import type { Story } from "./given.ts";
import { outcomeOf } from "./outcome.ts";
import { answer, confirm, resume } from "./person.ts";

export function drain(story: Story): void {
  // Each task takes about ten events, each of which may be asked for once.
  const stepsMax = 100 * (story.state.tasks.size + 1);
  for (let step = 0; step < stepsMax; step += 1) {
    if (story.state.status.name === "finished") return;
    if (!goOn(story)) throw new Error(`nothing is wanted, and the run is ${story.state.status.name}`);
  }
  throw new Error(`the run is not over after ${stepsMax} steps`);
}

function goOn(story: Story): boolean {
  const { order, effects, isResting, wakeAt } = story.decide();
  if (order?.command === "dispatch") story.tell({ ...order, fenceTag: "tag" });
  else if (order) story.tell(order);
  const [effect] = effects;
  if (effect) story.tell(outcomeOf(effect, story.state));
  if (order || effect) return true;
  if (isResting) {
    story.now = wakeAt ?? story.now;
    return true;
  }
  story.begun.clear();
  const question = [...story.state.questions.values()].find(({ decision }) => !decision);
  if (question) {
    story.tell(
      question.kind === "confirmation" ? confirm(question.question) : answer(question.question, "retry"),
    );
    return true;
  }
  if (story.state.status.name === "stopped" || story.state.status.name === "paused") {
    story.tell(resume({ turns: 1e9, tokens: 1e9, usdMicros: 1e9, timeMs: 1e9 }));
    return true;
  }
  return story.decide().effects.length > 0;
}
