import { expect, test, vi } from "vitest";
import type { OpenCommandEnd } from "../../world/processes/commands.ts";
import { LongLivedGit } from "./long-lived-git.ts";

/** A program in this process: the test reads what it was asked, and decides what it prints and how it ends. */
class ScriptedProgram {
  asked = "";
  isAwaited = false;
  isClosed = false;

  constructor(
    readonly print: (text: string) => void,
    readonly end: (ended: OpenCommandEnd) => void,
  ) {}
}

function scripted() {
  const programs: ScriptedProgram[] = [];
  const git = new LongLivedGit({
    open({ onOutput, onEnd }) {
      const program = new ScriptedProgram((text) => onOutput(Buffer.from(text)), onEnd);
      programs.push(program);
      return {
        write: (bytes) => {
          program.asked += bytes;
        },
        setAwaited: (isAwaited) => {
          program.isAwaited = isAwaited;
        },
        close: () => {
          program.isClosed = true;
        },
      };
    },
    failure: (code, stderr) => new Error(`${code}: ${stderr}`),
  });
  const ask = (text: string) => git.ask(text, aLine).then((answer) => answer.toString());
  const program = (at: number) => {
    const found = programs[at];
    if (!found) throw new Error(`program ${at} was not started`);
    return found;
  };
  return { ask, program, programs };
}

const aLine = (output: Buffer) => {
  const end = output.indexOf("\n");
  return end === -1 ? undefined : end + 1;
};

const killed = { code: 137, stderr: "", wasKilled: true };

test("a long-lived git starts with the first question, and answers come in the order of the questions, however they are cut", async () => {
  const { ask, program, programs } = scripted();
  expect(programs).toHaveLength(0);
  const answers = Promise.all([ask("a?"), ask("b?"), ask("c?")]);
  expect(program(0).asked).toBe("a?b?c?");
  program(0).print("A");
  program(0).print("\nB\nC");
  program(0).print("\n");
  expect(await answers).toEqual(["A\n", "B\n", "C\n"]);
  expect(programs).toHaveLength(1);
});

test("our process can end while no answer of a long-lived git is awaited, and only then", async () => {
  const { ask, program } = scripted();
  const answer = ask("a?");
  expect(program(0).isAwaited).toBe(true);
  program(0).print("A\n");
  await answer;
  expect(program(0).isAwaited).toBe(false);
  const second = ask("b?");
  expect(program(0).isAwaited).toBe(true);
  program(0).print("B\n");
  await second;
});

test("if a long-lived git is killed in mid-answer, a new one is asked everything that was not answered", async () => {
  const { ask, program } = scripted();
  const answers = Promise.all([ask("a?"), ask("b?"), ask("c?")]);
  program(0).print("A\nhalf of B");
  program(0).end(killed);
  expect(program(1).asked).toBe("b?c?");
  program(1).print("B\nC\n");
  expect(await answers).toEqual(["A\n", "B\n", "C\n"]);
});

test("a question to a long-lived git whose answer was lost twice fails", async () => {
  const { ask, program } = scripted();
  const answer = ask("a?").catch(String);
  program(0).end(killed);
  program(1).end(killed);
  expect(await answer).toBe("Error: 137: ");
});

test("if a long-lived git ends with an error, the oldest question fails with it and the others are asked again", async () => {
  const { ask, program } = scripted();
  const [first, second] = [ask("a?").catch(String), ask("b?")];
  program(0).end({ code: 128, stderr: "fatal: no", wasKilled: false });
  expect(await first).toBe("Error: 128: fatal: no");
  expect(program(1).asked).toBe("b?");
  program(1).print("B\n");
  expect(await second).toBe("B\n");
});

test("late output of an ended git answers no question", async () => {
  const { ask, program } = scripted();
  const answer = ask("a?");
  program(0).end(killed);
  program(0).print("from the dead\n");
  program(1).print("A\n");
  expect(await answer).toBe("A\n");
});

test("a long-lived git ends when it has been idle for a while, and the next question starts another", async () => {
  vi.useFakeTimers();
  try {
    const { ask, program, programs } = scripted();
    const first = ask("a?");
    program(0).print("A\n");
    await first;
    vi.advanceTimersByTime(4999);
    expect(program(0).isClosed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(program(0).isClosed).toBe(true);
    const second = ask("b?");
    program(0).end({ code: 0, stderr: "", wasKilled: false });
    program(1).print("B\n");
    expect(await second).toBe("B\n");
    expect(programs).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});
