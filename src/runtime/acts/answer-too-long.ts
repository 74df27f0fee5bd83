/** Limits the length of a person's answer: agents read it in a prompt, where it must leave room for the task. */
import type { Problem } from "../../std/problem.ts";

const answerMax = 20_000;

export function answerTooLong(answer: string): Problem | undefined {
  if (answer.length <= answerMax) return undefined;
  return {
    code: "ANSWER_TOO_LONG",
    message: `the answer has ${answer.length} characters; the limit is ${answerMax}`,
    hint: "Put the long part into a file of the repository, and name it.",
  };
}
