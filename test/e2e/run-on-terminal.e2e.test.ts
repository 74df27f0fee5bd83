/** A run in a user's terminal: what they are asked, what is recorded about it, and a cursor that is visible afterwards. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Crew, work } from "./crew.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";

const oneTask = () =>
  new Crew({
    tasks: "- [ ] one",
    script: { one: [work("a.txt", "new\n")] },
    config: ['verify: "true"'],
    files: { "a.txt": "old\n" },
  });

/** Types one answer after each question. */
const answering = ({ root: cwd, env }: Crew, answers: readonly string[], args: readonly string[]) =>
  onTerminal(args, { cwd, env, reactions: answers.map((type) => ({ when: "[y/N", type })) });

const doorOf = (crew: Crew, name: string) => crew.events().find(({ event }) => event === name)?.data.by;

test("a user at the terminal approves a run and is offered the landing, and each yes is recorded as given there", (context) => {
  needsPseudoTerminal(context);
  const crew = oneTask();
  const ended = answering(crew, ["y\n", "y\n"], ["run", "plan.md"]);
  expect(ended.exitCode, ended.output).toBe(0);
  expect(readFileSync(join(crew.root, "a.txt"), "utf8")).toBe("new\n");
  expect(doorOf(crew, "run_started")).toMatchObject({ door: "terminal" });
  expect(doorOf(crew, "landing_prepared")).toMatchObject({ door: "terminal" });
  expect(ended.output.lastIndexOf("\x1b[?25h")).toBeGreaterThan(ended.output.lastIndexOf("\x1b[?25l"));
});

test("a no at the terminal lands nothing, and a rollback asks before it reverts anything", (context) => {
  needsPseudoTerminal(context);
  const crew = oneTask();
  expect(answering(crew, ["y\n", "n\n"], ["run", "plan.md"]).exitCode).toBe(0);
  expect(readFileSync(join(crew.root, "a.txt"), "utf8")).toBe("old\n");
  const declined = answering(crew, ["n\n"], ["rollback", "one"]);
  expect(declined).toMatchObject({ exitCode: 1, output: expect.stringContaining("DECLINED") });
  const taken = answering(crew, ["y\n"], ["rollback", "one"]);
  expect(taken.exitCode, taken.output).toBe(0);
  expect(doorOf(crew, "rollback_requested")).toMatchObject({ door: "terminal" });
});
