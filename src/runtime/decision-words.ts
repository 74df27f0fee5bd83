/** What is said of a person's decision about a run, through whichever door it came. */
import type { Problem } from "../std/problem.ts";
import type { Steered } from "./steer.ts";

/** Where a decision waits for somebody to go on with the run. */
export function goesOn({ isRunning }: Pick<Extract<Steered, { kind: "recorded" }>, "isRunning">): string {
  return isRunning ? "The run goes on with it." : "Go on with the run: cox resume";
}

/** It holds the lock, so nobody else may write. */
export const unanswered: Problem = {
  code: "RUN_UNANSWERED",
  message: "the process that works on the run did not answer; the request was taken back",
  hint: "It may hang or be suspended: look at it (cox status), end it, then try again.",
};

/** Agents read it in a prompt, where it should leave room for the task. */
const answerMax = 20_000;

export function answerTooLong(answer: string): Problem | undefined {
  if (answer.length <= answerMax) return undefined;
  return {
    code: "ANSWER_TOO_LONG",
    message: `the answer has ${answer.length} characters, and ${answerMax} is the most`,
    hint: "Put the long part into a file of the repository, and name it.",
  };
}
