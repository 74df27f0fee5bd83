/**
 * A decision about a run that only a person may take, asked for by an agent: the person is asked through the client, and
 * where the client cannot ask, the agent is told which command the person must type. The agent's own word counts nothing.
 */
import { z } from "zod";
import type { Refusal } from "../kernel/command.ts";
import type { QuestionId } from "../kernel/event.ts";
import { openQuestion } from "../kernel/questions.ts";
import type { Question } from "../kernel/state.ts";
import { notApproved } from "../runtime/approved-here.ts";
import { type Entered, enterRun } from "../runtime/enter-run.ts";
import { goesOn, type Steering, steer, unanswered } from "../runtime/steer.ts";
import { assert } from "../std/assert.ts";
import type { Problem } from "../std/problem.ts";
import { type OpenQuestion, openQuestions, questionWords } from "../view/questions.ts";
import { refusalProblem } from "../view/refusals.ts";
import type { Answer, AskPerson, ToolContext } from "./tool.ts";

export interface Deciding {
  readonly tool: string;
  readonly question: string;
  readonly run: string | undefined;
  /** What sort of decision it is. */
  readonly wants: "answer" | "confirm";
  /** What the person says; nothing when they would not. */
  ask(
    person: AskPerson,
    shown: string,
    question: Question,
  ): Promise<Steering | { readonly problem: Problem } | undefined>;
}

/** What every tool of this kind takes and gives. */
export const decisionShapes = {
  input: z.strictObject({
    question: z.string().describe("Its id, like q1"),
    run: z.string().optional().describe("Any beginning of its name (default: the newest)"),
  }),
  output: z.object({
    question: z.string(),
    recorded: z.boolean(),
    decision: z.string(),
    message: z.string(),
  }),
};

type Decided = z.input<typeof decisionShapes.output>;

export async function decide(context: ToolContext, deciding: Deciding): Promise<Answer<Decided>> {
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
  deciding: Deciding,
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

/** The same as a person is told, but for what to do next: here a tool is called. */
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
