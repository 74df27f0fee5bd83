/** A run as a person at a terminal sees it: approved with a keystroke, shown live, and gone without a trace. */
import { expect, test } from "vitest";
import { Crew, held, work } from "./crew.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";

const hide = "\u001b[?25l";
const show = "\u001b[?25h";

const twoTasks = () =>
  new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - Depends-On: one",
    script: { default: [[{ action: "editing one.txt" }, { sleep: 400 }, ...work("$COX_TASK.txt")]] },
    config: ["verify: ls one.txt"],
  });

test("a run is approved at the terminal, shown while it goes, and ends with lines that stay", (context) => {
  needsPseudoTerminal(context);
  const { root, env } = twoTasks();
  const reactions = [
    { when: "Start?", type: "y\n" },
    { when: "Land it now?", type: "n\n" },
  ];
  const { exitCode, output } = onTerminal(["run", "plan.md"], { cwd: root, env, reactions });
  expect(output).toContain("ls one.txt");
  expect(output).toContain("editing one.txt");
  expect(output).toContain("2 of 2 tasks");
  expect(exitCode).toBe(0);
  expect(isRestored(output)).toBe(true);
});

test("a no at the terminal starts no run", (context) => {
  needsPseudoTerminal(context);
  const crew = twoTasks();
  const { root, env } = crew;
  const reactions = [{ when: "Start?", type: "\n" }];
  const { exitCode, output } = onTerminal(["run", "plan.md"], { cwd: root, env, reactions });
  expect(exitCode).toBe(1);
  expect(output).toContain("NOT_APPROVED");
  expect(crew.git("for-each-ref", "refs/heads/cox", "refs/coxswain")).toBe("");
});

const endless = () =>
  new Crew({
    tasks: "- [ ] one",
    script: { default: [[{ action: "thinking hard" }, held("never"), ...work("a.txt")]] },
    config: ["audit: none"],
  });

test.each(["SIGINT", "SIGTERM"] as const)(
  "%s once lets the agents of a run finish, twice ends them, and the cursor comes back",
  (signal, context) => {
    needsPseudoTerminal(context as never);
    const crew = endless();
    const { root, env } = crew;
    const reactions = [
      { when: "thinking hard", signal },
      { when: "Running turns finish", signal },
    ];
    const { exitCode, output } = onTerminal(["run", "plan.md", "--yes"], { cwd: root, env, reactions });
    expect(exitCode).toBe(130);
    expect(isRestored(output)).toBe(true);
    expect(crew.events().map(({ event }) => event)).toEqual(
      expect.arrayContaining(["run_paused", "run_stopped", "agent_cancelled"]),
    );
  },
);

/** The cursor is shown again after it was last hidden. */
function isRestored(output: string): boolean {
  return output.includes(hide) && output.lastIndexOf(show) > output.lastIndexOf(hide);
}
