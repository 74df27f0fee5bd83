/**
 * Lets an agent request a decision about a run that only a person may make. The person is asked through the client. If
 * the client cannot ask, the agent gets the command that the person must type. The agent's own word does not count.
 */
import { z } from "zod";
import type { Refusal } from "../../../kernel/command.ts";
import type { QuestionId } from "../../../kernel/event.ts";
import { openQuestion } from "../../../kernel/rules/questions.ts";
import type { Question } from "../../../kernel/state.ts";
import { notApproved } from "../../../runtime/start/approved-here.ts";
import { type Entered, enterRun } from "../../../runtime/start/enter-run.ts";
import { goesOn, type SteeringCommand, steer, unanswered } from "../../../runtime/steer.ts";
import { assert } from "../../../std/assert.ts";
import type { Problem } from "../../../std/problem.ts";
import { type OpenQuestion, openQuestions, questionWords } from "../../../view/questions.ts";
import { refusalProblem } from "../../../view/text/refusals.ts";
import type { Answer, AskPerson, ToolContext } from "../../tool.ts";

export interface DecisionRequest {
  readonly tool: string;
  readonly question: string;
  readonly run: string | undefined;
  /** The kind of decision. */
  readonly wants: "answer" | "confirm";
  /** What the person decides; undefined if they did not. */
  ask(
    person: AskPerson,
    shown: string,
    question: Question,
  ): Promise<SteeringCommand | { readonly problem: Problem } | undefined>;
}

/** The input and output of every tool of this kind. */
export const decisionShapes = {
  input: z.strictObject({
    question: z.string().describe("Its id, like q1"),
    run: z.string().optional().describe("Any unique start of its name (default: the newest)"),
  }),
  output: z.object({
    question: z.string(),
    recorded: z.boolean(),
    decision: z.string(),
    message: z.string(),
  }),
};

type Decided = z.input<typeof decisionShapes.output>;

export async function decideQuestion(
  context: ToolContext,
  deciding: DecisionRequest,
): Promise<Answer<Decided>> {
  const { root, runs } = context;
  const entry = await enterRun(
    { ...runs, root, run: deciding.run, typed: ["mcp", deciding.tool] },
    async (approved) => (approved.isGiven ? undefined : notApproved),
  );
  if ("barred" in entry) return { problems: [entry.barred.problem] };
  if ("stopped" in entry) return { problems: [entry.stopped] };
  try {
    return await decideInside(context, deciding, entry.entered);
  } finally {
    entry.entered.look.close();
  }
}

async function decideInside(
  { person }: ToolContext,
  deciding: DecisionRequest,
  { world, folder, seen }: Entered,
): Promise<Answer<Decided>> {
  const { state, now } = seen;
  const question = openQuestion(state, deciding.question as QuestionId, deciding.wants);
  if ("refused" in question) return { problems: [refused(question)] };
  const shown = openQuestions(state, now).find((one) => one.question === deciding.question);
  assert(shown, "a question that can be decided is open");
  const typed = commandsOf(shown, deciding.run === undefined ? undefined : folder.run);
  if (!person) return { problems: [onlyByTyping(typed)] };
  const command = await deciding.ask(person, questionWords(shown), question);
  if (!command) return { problems: [notSaid(typed)] };
  if ("problem" in command) return { problems: [command.problem] };
  const steered = await steer(world, folder, command);
  if (steered.kind === "refused") return { problems: [refused(steered.refusal)] };
  if (steered.kind === "unanswered") return { problems: [unanswered] };
  const decision = command.command;
  const message = `${shown.question}: ${decision} was recorded, as the person said. ${goesOn(steered)}`;
  return { data: { question: shown.question, recorded: true, decision, message }, text: message };
}

/** The same as for a person, except for the next step: here it is a tool call. */
function refused(refusal: Refusal): Problem {
  const problem = refusalProblem(refusal);
  switch (refusal.refused) {
    case "unknown-question": {
      const open = refusal.open.slice(0, 10).join(", ");
      const hint = open === "" ? "Nothing waits for a person" : `Open: ${open}`;
      return { ...problem, hint: `${hint} (run_status).` };
    }
    case "wrong-kind-of-question":
      return {
        ...problem,
        hint: `Use ${refusal.wants === "confirm" ? "confirm_operation" : "answer_question"}.`,
      };
    case "already-decided":
      return { ...problem, hint: "Nothing was changed. What is open: run_status." };
    default:
      return problem;
  }
}

function commandsOf({ commands }: OpenQuestion, run: string | undefined): string {
  return commands.map((command) => (run === undefined ? command : `${command} --run ${run}`)).join(" or ");
}

function onlyByTyping(typed: string): Problem {
  return {
    code: "PERSON_NEEDED",
    message: "only a person may decide this, and your client cannot ask one",
    hint: `Ask the person to type: ${typed}`,
  };
}

function notSaid(typed: string): Problem {
  return {
    code: "PERSON_SILENT",
    message: "the person was asked and did not decide; nothing was recorded",
    hint: `They can decide later: ${typed}`,
  };
}
