/** Puts a question of a run to the person in front of the client. Their words become the answer, never the agent's. */
import type { QuestionId } from "../../../kernel/event.ts";
import { answerTooLong } from "../../../runtime/acts/answer-too-long.ts";
import { tool } from "../../tool.ts";
import { decideQuestion, decisionShapes } from "./decide.ts";

const other = "something else";

export const answerQuestion = tool({
  name: "answer_question",
  group: "run",
  title: "Ask a person to answer a question",
  description:
    "Shows the person an open question of a run (run_status lists them); the person answers it. You cannot answer for them.",
  does: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  ...decisionShapes,
  call({ question, run }, context) {
    return decideQuestion(context, {
      tool: "answer_question",
      question,
      run,
      wants: "answer",
      async ask(person, shown, { options }) {
        const chosen = options.length > 0 ? await person.choose(shown, [...options, other]) : other;
        const answer = chosen === other ? await person.write(shown) : chosen;
        if (answer === undefined || answer.trim() === "") return undefined;
        const problem = answerTooLong(answer);
        if (problem) return { problem };
        const by = { who: context.runs.user, door: "elicitation" } as const;
        return { command: "answer", question: question as QuestionId, answer: answer.trim(), by };
      },
    });
  },
});
