/**
 * A decision about a run that only a person may take, asked for by an agent: the person is asked through the client, and
 * where the client cannot ask, the agent is told which command the person must type. The agent's own word counts nothing.
 */
import { z } from "zod";
import type { QuestionId } from "../kernel/event.ts";
import type { Question } from "../kernel/state.ts";
import { notApproved } from "../runtime/approved-here.ts";
import { type Entered, enterRun } from "../runtime/enter-run.ts";
import { type Steering, steer } from "../runtime/steer.ts";
import { closestName } from "../std/closest-name.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { noPaint } from "../view/paint.ts";
import { answerCommands, openQuestions, questionText } from "../view/questions.ts";
import { refusalProblem } from "../view/refusals.ts";
import type { Answer, AskPerson, ToolContext } from "./tool.ts";

export interface Deciding {
  readonly tool: string;
  readonly question: string;
  readonly run: string | undefined;
  readonly kinds: readonly Question["kind"][];
  /** The tool for questions of the other kinds. */
  readonly otherTool: string;
  /** What the person says; nothing when they would not. */
  ask(person: AskPerson, shown: string, question: Question): Promise<Steering | undefined>;
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
  const open = openQuestions(seen.state, seen.now);
  const shown = open.find(({ question }) => question === deciding.question);
  const question = seen.state.questions.get(deciding.question as QuestionId);
  if (!shown || !question)
    return {
      problems: [
        unknownQuestion(
          deciding.question,
          open.map((one) => one.question),
        ),
      ],
    };
  if (!deciding.kinds.includes(question.kind)) return { problems: [otherKind(deciding)] };
  if (!person) return { problems: [onlyByTyping(answerCommands(shown))] };
  const words = questionText(shown, { columns: 100, paint: noPaint, ascii: false }).slice(
    0,
    -shown.commands.length,
  );
  const command = await deciding.ask(person, words.join("\n"), question);
  if (!command) return { problems: [notSaid(answerCommands(shown))] };
  const steered = await steer(world, folder, command);
  if (steered.kind === "refused") return { problems: [refusalProblem(steered.refusal)] };
  if (steered.kind === "unanswered") return { problems: [unanswered] };
  const goesOn = steered.isRunning ? "The run goes on with it." : "Go on with the run: cox resume";
  const decision = command.command;
  const message = `${shown.question}: ${decision} was recorded, as the person said. ${goesOn}`;
  return { data: { question: shown.question, recorded: true, decision, message }, text: message };
}

function unknownQuestion(wanted: string, open: readonly string[]): Problem {
  const near = closestName(wanted, open);
  const known = open.slice(0, 10).join(", ");
  return {
    code: "NO_QUESTION",
    message: `no question ${quote(wanted, 60)} is open`,
    hint: near
      ? `Did you mean ${near}?`
      : known
        ? `Open: ${known}`
        : "Nothing waits for a person (run_status).",
  };
}

function otherKind({ question, otherTool }: Deciding): Problem {
  return {
    code: "QUESTION_KIND",
    message: `${oneLine(question, 60)} is a question of another kind`,
    hint: `Use ${otherTool}.`,
  };
}

function onlyByTyping(commands: readonly string[]): Problem {
  return {
    code: "PERSON_NEEDED",
    message: "only a person may decide this, and your client cannot ask one",
    hint: `Ask the person to type: ${commands.join(" or ")}`,
  };
}

function notSaid(commands: readonly string[]): Problem {
  return {
    code: "PERSON_SILENT",
    message: "the person was asked and did not decide; nothing was recorded",
    hint: `They can decide later: ${commands.join(" or ")}`,
  };
}

const unanswered: Problem = {
  code: "RUN_UNANSWERED",
  message: "the process that works on the run did not answer; the request was taken back",
  hint: "It may hang or be suspended: look at it (run_status), then try again.",
};
