/** Asks the person in front of the client to confirm an operation of a run that needs their permission. */
import type { QuestionId } from "../../../kernel/event.ts";
import { tool } from "../../tool.ts";
import { allow, refuse } from "../files/confirmation-words.ts";
import { decideQuestion, decisionShapes } from "./decide.ts";

export const confirmOperation = tool({
  name: "confirm_operation",
  group: "run",
  title: "Ask a person to confirm an operation",
  description:
    "Shows the person an operation of a run that needs a yes (run_status lists them); the person allows or denies it. You cannot confirm it yourself.",
  does: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  ...decisionShapes,
  call({ question, run }, context) {
    const id = question as QuestionId;
    return decideQuestion(context, {
      tool: "confirm_operation",
      question,
      run,
      wants: "confirm",
      async ask(person, shown) {
        const said = await person.choose(shown, [allow, refuse]);
        const by = { who: context.runs.user, door: "elicitation" } as const;
        if (said === allow) return { command: "confirm", question: id, by };
        return said === refuse ? { command: "deny", question: id, reason: "", by } : undefined;
      },
    });
  },
});
