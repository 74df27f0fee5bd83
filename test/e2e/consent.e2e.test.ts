/**
 * A yes counts only if it was typed after the question was shown. Anything typed before, in whatever way, answers
 * nothing.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { remove, replyOf } from "../bad-inputs/row.ts";
import { Crew, held, work } from "./crew.ts";
import { folderWith } from "./folder.ts";
import { type EndedOnTerminal, needsPseudoTerminal, onTerminal, type Reaction } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

const usable = { echo: true, canonical: true };

const deleting = () => folderWith({ "gone.txt": "precious\n", "reply.md": replyOf(remove("gone.txt")) });

/** Its agent prints a word and waits until it is released. */
const oneTask = () =>
  new Crew({
    tasks: "- [ ] one",
    script: { one: [[{ action: "thinking hard" }, held("go"), ...work("a.txt", "new\n")]] },
    config: ["audit: none"],
    files: { "a.txt": "old\n" },
  });

const release = ({ signals }: Crew): Pick<Reaction, "create"> => ({ create: join(signals, "go") });

interface Prompt {
  readonly args: readonly string[];
  readonly question: string;
  /** 1 by default: a person said no. */
  readonly exitCode?: number;
  readonly env?: Readonly<Record<string, string>>;
}

interface Place {
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Types whole lines and the beginning of one before the program starts, and a no once the question is shown. */
function declined({ root, env }: Place, { args, question, exitCode = 1, ...own }: Prompt): EndedOnTerminal {
  const reactions = [{ when: `${question} [y/N`, type: "n\n" }];
  const options = { cwd: root, env: { ...process.env, ...env, ...own.env }, ahead: "y\nyes\ny", reactions };
  const ended = onTerminal(args, options);
  expect(ended, `cox ${args.join(" ")}: ${ended.output}`).toMatchObject({
    unused: 0,
    exitCode,
    ended: usable,
  });
  return ended;
}

describe("a yes that was typed before the program began does not answer the question of", () => {
  test("cox apply", (context) => {
    needsPseudoTerminal(context);
    const root = deleting();
    declined({ root }, { args: ["apply", "reply.md"], question: "Allow it?" });
    expect(existsSync(join(root, "gone.txt"))).toBe(true);
  });

  test("cox approve, run, land, rollback, resume and log --repair", async (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const base = crew.git("rev-parse", "main");
    declined(crew, { args: ["approve", "plan.md"], question: "Approve it?" });
    declined(crew, { args: ["run", "plan.md"], question: "Start?" });
    expect(crew.findRun()).toBeUndefined();
    crew.release("go");
    declined(crew, { args: ["run", "plan.md", "--yes"], question: "Land it now?", exitCode: 0 });
    const tip = crew.git("rev-parse", `cox/${crew.run}`);
    declined(crew, { args: ["run", "plan.md"], question: "Start a new run anyway?" });
    const { output } = declined(crew, { args: ["land"], question: "Land it?" });
    expect(output).toContain(
      `${base.slice(0, 7)} → ${tip.slice(0, 7)}, fast-forward · 1 commit · 1 file: 1 changed`,
    );
    declined(crew, { args: ["rollback", "one"], question: "Revert them?" });
    expect(crew.git("rev-parse", `cox/${crew.run}`)).toBe(tip);
    const elsewhere = { XDG_STATE_HOME: join(crew.folder, "other-state") };
    await crew.cox("rollback", "one", "--yes");
    declined(crew, { args: ["resume"], question: "Resume it?", env: elsewhere });
    const log = damaged(crew.path("events.jsonl"));
    declined(crew, { args: ["log", "--repair"], question: "The original is kept." });
    expect(readFileSync(log.path, "utf8")).toBe(log.text);
    expect(crew.git("rev-parse", "main")).toBe(base);
    expect(crew.read("a.txt")).toBe("old\n");
  });

  test("cox init, agents test, approve of a document and log --documents --repair", async (context) => {
    needsPseudoTerminal(context);
    const agents = "agents:\n  tess: { profile: auditor, command: [touch, started] }\n";
    const world = new RunWorld({ agents: {}, files: { "package.json": "{}\n" } });
    declined(world, { args: ["init"], question: "Write it?" });
    expect(existsSync(join(world.root, ".coxswain"))).toBe(false);
    declined(world, { args: ["init", "--yes"], question: "to .mcp.json?", exitCode: 0 });
    expect(existsSync(join(world.root, ".mcp.json"))).toBe(false);
    world.write({ ".coxswain/config.yaml": agents });
    declined(world, { args: ["agents", "test", "tess"], question: "Start it?" });
    const document = ".coxswain/docs/api.md";
    world.write({ [document]: "# Api\n\n## Tasks\n\n### Sign\n\n- Verify: true\n\nDo it.\n" });
    declined(world, { args: ["approve", document], question: "Approve them?" });
    for (const title of ["First", "Second", "Third"])
      await world.cox("task", "add", title, "--main-workflow", "bug-hunt");
    const log = damaged(join(world.root, ".coxswain/documents/log.jsonl"));
    declined(world, { args: ["log", "--documents", "--repair"], question: "The original is kept." });
    expect(readFileSync(log.path, "utf8")).toBe(log.text);
  });
});

/** Adds a letter to the second record. */
function damaged(path: string): { readonly path: string; readonly text: string } {
  const lines = readFileSync(path, "utf8").split("\n");
  lines[1] = lines[1]?.replace('"', '"X') ?? "";
  const text = lines.join("\n");
  writeFileSync(path, text);
  return { path, text };
}

describe("while a run is going", () => {
  const running = (crew: Crew, reactions: readonly Reaction[], more: { background?: boolean } = {}) =>
    onTerminal(["run", "plan.md", "--yes"], { cwd: crew.root, env: crew.env, reactions, ...more });

  test("typed keys are not shown, and do not answer the question whether to land", (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const { output, ...ended } = running(crew, [
      { when: "thinking hard", type: "y\ny\nzebra\n" },
      { when: "thinking hard", type: "y\nzebra", ...release(crew) },
      { when: "Land it now? [y/N]", type: "n\n" },
    ]);
    expect(ended, output).toMatchObject({ exitCode: 0, unused: 0, ended: usable });
    expect(output).not.toContain("zebra");
    expect(crew.read("a.txt")).toBe("old\n");
  });

  test("the landing is shown first, and a yes to the question below it lands the run", (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const base = crew.git("rev-parse", "main");
    const ended = running(crew, [
      { when: "thinking hard", type: "n\n", ...release(crew) },
      { when: "Land it now? [y/N]", type: "y\n" },
    ]);
    expect(ended, ended.output).toMatchObject({ exitCode: 0, unused: 0 });
    const [before] = ended.output.split("Land it now? [y/N]");
    expect(before).toContain(`${base.slice(0, 7)} → ${crew.git("rev-parse", "main").slice(0, 7)}`);
    expect(before).toContain("fast-forward · 1 commit · 1 file: 1 changed");
    expect(crew.read("a.txt")).toBe("new\n");
  });

  test("Ctrl-C still interrupts it", (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const ended = running(crew, [
      { when: "thinking hard", type: "\x03" },
      { when: "Running turns finish", type: "\x03" },
    ]);
    expect(ended, ended.output).toMatchObject({ exitCode: 130, unused: 0, ended: usable });
    expect(crew.processes()).toEqual([]);
  });

  test.for<[string, Reaction]>([
    ["kill -9", { when: "thinking hard", signal: "SIGKILL" }],
    ["Ctrl-\\", { when: "thinking hard", type: "\x1c" }],
  ])("after %s the terminal is as it was", ([, ending], context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const ended = running(crew, [{ ...ending, ...release(crew) }]);
    expect(ended, ended.output).toMatchObject({ unused: 0, left: usable });
    expect(ended.exitCode).toBeGreaterThan(200);
  });

  test("a kill -9 leaves the shell at most what was typed since the last read", (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const since = "rm -rf later\n";
    const ended = running(crew, [
      { when: "thinking hard", type: "y\nrm -rf zebra\nrm -rf ze", isRead: true },
      { when: "thinking hard", type: since, signal: "SIGKILL", ...release(crew) },
    ]);
    expect(ended, ended.output).toMatchObject({ unused: 0, left: usable });
    expect(since.endsWith(ended.unread), JSON.stringify(ended.unread)).toBe(true);
  });

  test("Ctrl-Z gives the terminal back, and afterwards keys are ignored again", (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const { output, ...ended } = running(crew, [
      { when: "thinking hard", type: "\x1a" },
      { when: "[stopped]", type: "fg\n" },
      { when: "thinking hard", type: "y\nzebra\n" },
      { when: "thinking hard", ...release(crew) },
      { when: "Land it now? [y/N]", type: "n\n" },
    ]);
    expect(ended, output).toMatchObject({ exitCode: 0, unused: 0, stopped: [usable], ended: usable });
    expect(output).not.toContain("zebra");
    // The cursor is visible while the program is stopped.
    const shown = output.slice(0, output.indexOf("[stopped]"));
    expect(shown.lastIndexOf("\x1b[?25h")).toBeGreaterThan(shown.lastIndexOf("\x1b[?25l"));
    expect(crew.read("a.txt")).toBe("old\n");
  });

  test("a run in the background leaves the terminal alone, and stops only to ask", (context) => {
    needsPseudoTerminal(context);
    const crew = oneTask();
    const ended = running(
      crew,
      [
        { when: "thinking hard", ...release(crew) },
        { when: "[stopped]", type: "fg\n" },
        { when: "Land it now? [y/N]", type: "y\n" },
      ],
      { background: true },
    );
    expect(ended, ended.output).toMatchObject({ exitCode: 0, unused: 0, stopped: [usable], ended: usable });
    expect(crew.read("a.txt")).toBe("new\n");
  });
});

test("an answer pasted for two questions in a row answers only the first", (context) => {
  needsPseudoTerminal(context);
  const world = new RunWorld({ agents: {}, files: { "package.json": "{}\n" } });
  const reactions = [
    { when: "Write it? [y/N]", type: "y\ny\ny" },
    { when: "to .mcp.json? [y/N]", type: "n\n" },
  ];
  const ended = onTerminal(["init"], { cwd: world.root, env: world.env, reactions });
  expect(ended, ended.output).toMatchObject({ exitCode: 0, unused: 0 });
  expect(existsSync(join(world.root, ".coxswain/config.yaml"))).toBe(true);
  expect(existsSync(join(world.root, ".mcp.json"))).toBe(false);
});

test("a question that was stopped by Ctrl-Z is asked again, and not answered by what was typed meanwhile", (context) => {
  needsPseudoTerminal(context);
  const cwd = deleting();
  const reactions = [
    { when: "Allow it?", type: "\x1a" },
    { when: "[stopped]", type: "fg\ny\n" },
    { when: "Allow it?", type: "n\n" },
  ];
  const ended = onTerminal(["apply", "reply.md"], { cwd, reactions });
  expect(ended, ended.output).toMatchObject({ exitCode: 1, unused: 0, stopped: [usable], ended: usable });
  expect(existsSync(join(cwd, "gone.txt"))).toBe(true);
});

test("without stty no question is asked: exit 3", (context) => {
  needsPseudoTerminal(context);
  const cwd = deleting();
  const PATH = join(cwd, "programs");
  mkdirSync(PATH);
  const python = spawnSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" });
  symlinkSync(python.stdout.trim(), join(PATH, "python3"));
  const ended = onTerminal(["apply", "reply.md"], { cwd, env: { PATH }, ahead: "y\n", reactions: [] });
  expect(ended, ended.output).toMatchObject({ exitCode: 3 });
  expect(existsSync(join(cwd, "gone.txt"))).toBe(true);
});
