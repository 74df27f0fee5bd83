import { expect, test } from "vitest";
import type { UncountedBudget } from "../../config/crew/crew.ts";
import type { ConsideredPlan } from "../../runtime/start/consider-plan.ts";
import { noPaint } from "../../view/text/paint.ts";
import type { CommandContext } from "../command-context.ts";
import { askLimit } from "./ask-limit.ts";

const uncounted: UncountedBudget = {
  budget: { usdMicros: 1_000_000 },
  agent: "dev",
  others: 0,
  why: "it tells none",
  turns: 12,
};

function asked(answers: readonly (string | undefined)[], { noInput = false, json = false } = {}) {
  const left = [...answers];
  const questions: string[] = [];
  const told: string[] = [];
  const person = {
    tell: (text: string) => void told.push(text),
    ask: async (question: string) => {
      questions.push(question);
      return left.shift();
    },
  };
  const door = {
    values: { has: (name: string) => noInput && name === "no-input" },
    terminal: { json, noticePaint: noPaint },
    signal: new AbortController().signal,
    findPerson: () => person,
  } as unknown as CommandContext;
  const considered = { crew: { uncounted }, settings: { budget: { value: uncounted.budget } } };
  return { limit: askLimit(door, considered as unknown as ConsideredPlan), questions, told };
}

test.each([
  ["40 turns", { turns: 40 }],
  ["40", { turns: 40 }],
  ["2 h", { timeMs: 7_200_000 }],
  ["2 h, 5 turns", { timeMs: 7_200_000, turns: 5 }],
])("%s is a limit, beside the one in money", async (answer, limit) => {
  expect(await asked([answer]).limit).toEqual({ budget: { usdMicros: 1_000_000, ...limit } });
});

test("the limit is asked for again if the answer limits neither turns nor time, and then nothing starts", async () => {
  const { limit, questions, told } = asked(["3 USD", "plenty", "0 turns"]);
  expect(await limit).toMatchObject({ problem: { code: "BUDGET_UNCOUNTED" }, exit: 1 });
  expect(questions).toHaveLength(3);
  expect(questions[0]).toContain("12 turns");
  expect(told.join("")).toContain("Type a number of turns");
});

test("no answer to the question for a limit is not a yes", async () => {
  expect(await asked([""]).limit).toMatchObject({ exit: 1 });
  expect(await asked([undefined]).limit).toMatchObject({ exit: 1 });
});

test.each([{ noInput: true }, { json: true }])(
  "with %j no limit is asked for; the problem says which line to write",
  async (how) => {
    const { limit, questions } = asked(["40 turns"], how);
    expect(await limit).toMatchObject({
      exit: 2,
      problem: { hint: "Limit turns or time too: budget: 1 USD, 12 turns" },
    });
    expect(questions).toEqual([]);
  },
);
