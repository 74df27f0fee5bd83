/** The commands that look at a run, on one real run: two tasks done, one with a question, one failed, one waiting. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { folderWith } from "./folder.ts";
import { cox, type Ended } from "./program.ts";
import { RunWorld } from "./run-world.ts";
import { snapshot } from "./snapshot.ts";

const agent = `
if (task === "ask") {
  write("half.txt", "half\\n");
  say("SEEKING DIVINE CLARIFICATION\\n\\nQuestion: Red or blue?\\nOptions:\\n- red\\n- blue");
} else if (task === "spoil") {
  write("broken.txt", "broken\\n");
  say("READY FOR AUDIT: spoil");
} else if (task === "first" && turn.endsWith(".1")) say("I am not sure what to say.");
else {
  write(task + ".txt", "made by " + task + "\\n");
  say("READY FOR AUDIT: " + task);
}`;

const plan = `---
title: Five things
turn-timeout: 90 s
---
## Tasks
- [ ] First
- [ ] Second
  - Depends-On: first
- [ ] Ask
- [ ] Spoil
- [ ] Last
  - Depends-On: ask
`;

const config = `verify: test ! -e broken.txt
audit-attempts: 1
`;

let run: RunWorld;
let ended: Ended;

beforeAll(async () => {
  run = RunWorld.kept({ plan, config, agents: { dev: { node: agent } }, files: { "sub/a.txt": "a" } });
  ended = await run.cox("run", "plan.md", "--yes");
});

test("cox run ends with exit 3 when a question is open", () => {
  expect(ended.exitCode, ended.stderr).toBe(3);
});

describe("cox status", () => {
  test("shows on one screen what needs a person, what waits, what is done and what failed", async () => {
    const { exitCode, stdout, stderr } = await run.cox("status");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    for (const words of ["Five things", "Needs you", "Red or blue?", "cox answer", "2 of 5 done"])
      expect(stdout).toContain(words);
    expect(stdout).toMatch(/· last +after ask/);
    expect(stdout).toMatch(/✓ second/);
  });

  test("prints one document with --json, from any folder of the repository", async () => {
    const { stdout } = await cox(["status", "--json"], { cwd: join(run.root, "sub"), env: run.env });
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({ ok: true, title: "Five things", alive: false, total: 5 });
    expect(document.counts).toMatchObject({ done: 2, waiting: 1 });
    expect((await run.json("status", document.run.slice(0, 6))).run).toBe(document.run);
  });

  test("--settings shows every setting with its origin", async () => {
    const { stdout } = await run.cox("status", "--settings");
    expect(stdout).toMatch(/^turn-timeout +1 m 30 s +plan$/m);
    expect(stdout).toMatch(/^audit-attempts +1 +config$/m);
    expect(stdout).toMatch(/^land +ask +default$/m);
    const { settings } = await run.json("status", "--settings");
    expect(settings).toContainEqual({
      setting: "verify",
      value: ["test ! -e broken.txt"],
      text: "test ! -e broken.txt",
      origin: "config",
    });
  });

  test("refuses the run's copy of the configuration when it was changed: exit 5", async () => {
    const { run: name } = await run.json("status");
    const path = join(run.root, ".coxswain/runs", name, "config.json");
    const before = readFileSync(path, "utf8");
    writeFileSync(path, before.replace('"land":"ask"', '"land":"auto"'));
    try {
      const { exitCode, stderr } = await run.cox("status", "--settings");
      expect(exitCode).toBe(5);
      expect(stderr).toContain("CONFIG_CHANGED");
    } finally {
      writeFileSync(path, before);
    }
  });

  test("--watch shows a run without a process once, and waits until it is resumed", async () => {
    const watcher = run.start("status", "--watch");
    await new Promise((resolve) => watcher.child.stdout?.once("data", resolve));
    watcher.child.kill("SIGINT");
    const { exitCode, stdout } = await watcher.ended;
    expect(exitCode).toBe(130);
    expect(stdout.match(/Five things/g)).toHaveLength(1);
    expect(stdout).toMatch(/\nNo process is working on the run\. .*\n$/);
  });
});

describe("cox log", () => {
  test("prints one line for each event, with details on demand", async () => {
    const usual = await run.cox("log");
    expect(usual.stdout).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ▶ .*run five-things-\w+ began: Five things/,
    );
    expect(usual.stdout).toMatch(/ ✓ first +committed [0-9a-f]{7}, 1 file/);
    const lines = async (...args: string[]) => (await run.cox("log", ...args)).stdout.split("\n").length;
    const counts = [await lines("--level", "1"), await lines("--level", "2"), await lines("--level", "3")];
    expect(counts).toEqual([...new Set(counts)].sort((one, other) => one - other));
  });

  test("of one task shows nothing of other tasks", async () => {
    const { stdout } = await run.cox("log", "--task", "second", "--level", "3");
    for (const line of stdout.trim().split("\n")) expect(line).toMatch(/ [▶✓·] second /);
    expect((await run.cox("log", "--task", "secnd")).stderr).toContain("Did you mean second?");
  });

  test("prints with --json every event as it was recorded, one on each line", async () => {
    const { stdout } = await run.cox("log", "--json");
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events[0]).toMatchObject({ event: "run_started", data: { title: "Five things" } });
    expect(events.map(({ event }) => event)).toContain("agent_seeks_guidance");
  });

  test("--follow shows all of a run without a process, and ends", async () => {
    expect((await run.cox("log", "--follow")).stdout).toBe((await run.cox("log")).stdout);
  });

  test("succeeds when its reader goes away early", async () => {
    const under = ["bash", "-c", `"$@" | head -1; echo "\${PIPESTATUS[0]}"`, "bash"];
    const { stdout, stderr } = await cox(["log", "--level", "3"], { cwd: run.root, env: run.env, under });
    expect(stdout).toMatch(/began: Five things.*\n0\n$/);
    expect(stderr).toBe("");
  });

  test("says that a sound log is sound, and repairs nothing", async () => {
    expect((await run.cox("log", "--verify")).stdout).toMatch(/^✓ the log is sound: \d+ records/);
    expect(await run.json("log", "--verify")).toMatchObject({ ok: true, head: "sound", errors: [] });
    const before = snapshot(run.root);
    expect(await run.json("log", "--repair", "--yes")).toMatchObject({ ok: true, repaired: false });
    expect(snapshot(run.root)).toEqual(before);
  });
});

describe("a damaged log", () => {
  /** Only the run, with one letter changed in a record in the middle. */
  function damaged(): { cwd: string; log: string } {
    const cwd = folderWith();
    cpSync(join(run.root, ".coxswain/runs"), join(cwd, ".coxswain/runs"), { recursive: true });
    const runs = join(cwd, ".coxswain/runs");
    const [name = ""] = readdirSync(runs).filter((one) => !one.startsWith("."));
    const log = join(runs, name, "events.jsonl");
    const lines = readFileSync(log, "utf8").split("\n");
    lines[9] = lines[9]?.replace('"data":{"', '"data":{"X') ?? "";
    writeFileSync(log, lines.join("\n"));
    return { cwd, log };
  }

  test("is reported with its line, after everything before it, by every command that reads it: exit 5", async () => {
    const { cwd } = damaged();
    const shown = await cox(["log"], { cwd });
    expect(shown.exitCode).toBe(5);
    expect(shown.stdout).toContain("began: Five things");
    expect(shown.stderr).toMatch(/LOG_CORRUPT[\s\S]*line 10[\s\S]*cox log --verify/);
    expect(JSON.parse((await cox(["log", "--verify", "--json"], { cwd })).stdout)).toMatchObject({
      ok: false,
      line: 10,
      errors: [{ code: "LOG_CORRUPT" }],
    });
    for (const args of [["status"], ["why", "first"], ["questions"], ["stats"], ["log", "--verify"]])
      expect((await cox(args, { cwd })).exitCode, args[0]).toBe(5);
  });

  test("is repaired only after a yes: without one, cox log --repair shows what would be lost and changes nothing: exit 3", async () => {
    const { cwd, log } = damaged();
    const before = readFileSync(log, "utf8");
    const asked = await cox(["log", "--repair"], { cwd });
    expect(asked.exitCode).toBe(3);
    expect(asked.stderr).toMatch(/ends after record \d+.*\n.*cox log five-things-\w+ --repair --yes/);
    const document = JSON.parse((await cox(["log", "--repair", "--json"], { cwd })).stdout);
    expect(document).toMatchObject({ ok: false, repaired: false, errors: [{ code: "NEEDS_YES" }] });
    expect(document.losses.records.at(-1).event).toBeDefined();
    expect(readFileSync(log, "utf8")).toBe(before);
    const agent = await cox(["log", "--repair", "--yes"], { cwd, env: { COX_TURN: "a.1.1" } });
    expect(agent.stderr).toContain("AGENT_DECIDES");
    expect(readFileSync(log, "utf8")).toBe(before);
  });

  test("is cut off before the damage with a yes, and the original is kept", async () => {
    const { cwd, log } = damaged();
    const before = readFileSync(log, "utf8");
    const repaired = await cox(["log", "--repair", "--yes"], { cwd });
    expect(repaired).toMatchObject({ exitCode: 0, stderr: "" });
    expect(repaired.stdout).toContain("events.jsonl.before-repair");
    expect(readFileSync(`${log}.before-repair`, "utf8")).toBe(before);
    expect((await cox(["log", "--verify"], { cwd })).exitCode).toBe(0);
    expect((await cox(["status"], { cwd })).exitCode).toBe(0);
  });
});

describe("cox why", () => {
  test.each([
    ["second", "it is done: committed as"],
    ["ask", "it waits for you: "],
    ["last", "ask"],
    ["#first", "cox diff first"],
  ])("explains the task %s", async (task, words) => {
    const { exitCode, stdout } = await run.cox("why", task);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(words);
  });

  test("prints one document with --json, also for an unknown task, with the nearest name", async () => {
    expect(await run.json("why", "last")).toMatchObject({ ok: true, task: "last", phase: "waiting" });
    const unknown = await run.cox("why", "fisrt", "--json");
    expect(unknown.exitCode).toBe(1);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ ok: false, errors: [{ code: "TASK_UNKNOWN" }] });
    expect(unknown.stdout).toContain("Did you mean first?");
    expect((await run.cox("why")).exitCode).toBe(2);
  });
});

describe("cox questions", () => {
  test("shows each question with the command to type, and prints data with --json", async () => {
    const { exitCode, stdout } = await run.cox("questions");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Red or blue\?[\s\S]*1 {2}red[\s\S]*cox answer \S+ "…"/);
    const { questions } = await run.json("questions");
    expect(questions).toContainEqual(
      expect.objectContaining({ task: "ask", text: "Red or blue?", options: ["red", "blue"], holds_up: 1 }),
    );
  });
});

describe("cox diff", () => {
  test("of a committed task shows its commit", async () => {
    const { stdout } = await run.cox("diff", "second");
    expect(stdout).toMatch(/^second: committed as [0-9a-f]{7}\n\n--- \/dev\/null\n\+\+\+ b\/second\.txt\n/);
    expect(stdout).toMatch(/^\+made by second$/m);
    expect(stdout).not.toContain("first.txt");
  });

  test("of a failed task shows its last capture", async () => {
    const { stdout } = await run.cox("diff", "spoil", "--stat");
    expect(stdout).toMatch(
      /^spoil: captured on top of [0-9a-f]{7}, not committed\n\n\+ broken\.txt +\+1 −0\n1 file/,
    );
  });

  test("of a task that has not begun says so", async () => {
    expect((await run.cox("diff", "last")).stdout).toBe("last has no change yet: no agent has started it\n");
    expect(await run.json("diff", "last")).toMatchObject({ ok: true, stands: "nowhere", files: [] });
  });

  test("of a run shows everything on its branch, as git does", async () => {
    const { run: name, files } = await run.json("diff", "--stat");
    expect(files.map(({ path, status }: { path: string; status: string }) => `${status} ${path}`)).toEqual([
      "added first.txt",
      "added second.txt",
    ]);
    expect(run.git("diff", "--name-only", "main", `cox/${name}`)).toBe("first.txt\nsecond.txt");
    expect((await run.cox("diff", "nope")).exitCode).toBe(1);
  });
});

describe("cox stats", () => {
  test("shows the persistence rate, repeated prompts and failed verifications of the run", async () => {
    const document = await run.json("stats");
    expect(document).toMatchObject({ ok: true, changesets: 0, persistenceRate: 1 });
    expect(document.run).toMatchObject({ persistence_rate: 1, prompt_retries: 1 });
    expect(document.run.verification_failures).toBeGreaterThan(0);
    expect(document.run.total).toMatchObject({ promised_files: 2, persisted_files: 2, commits: 2 });
    expect(document.run.agents).toMatchObject([{ agent: "dev", refused_replies: 1 }]);
    const { stdout } = await run.cox("stats");
    expect(stdout).toMatch(
      /^run +Five things · five-things-\w+\noutcome +waiting for you, 2 of 5 tasks done\nwhen +\d{4}-\d\d-\d\d \d\d:\d\d to [-: \d]+ UTC, \d+s of run time\nfiles committed +2 of 2 files promised\n/,
    );
    expect(stdout.indexOf("\nchangesets ")).toBeGreaterThan(stdout.indexOf("\nall "));
    expect(document.run).toMatchObject({
      title: "Five things",
      status: "waiting",
      words: "waiting for you",
      began_at: expect.any(String),
    });
    expect(stdout).toMatch(/^prompt retries +1$/m);
  });
});

describe("an unknown run", () => {
  const looks = [["status"], ["log"], ["questions"], ["why", "a"], ["diff"]];

  test.each(looks)(
    "makes cox %s exit with 2 and print one document, where no run has begun",
    async (...args) => {
      const { exitCode, stdout } = await cox([...args, "--json"], { cwd: folderWith() });
      expect(exitCode).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, errors: [{ code: "NO_RUN" }] });
    },
  );

  test("is refused with the names of the runs there are", async () => {
    expect((await run.cox("status", "six-things")).stderr).toMatch(/There are: five-things-\w+/);
    expect((await run.cox("diff", "--run", "six")).exitCode).toBe(2);
    expect((await cox(["status", "--root", "nowhere"], { cwd: run.root })).exitCode).toBe(5);
  });
});

test("the commands that look at a run change nothing, neither in the repository nor in the run", async () => {
  const before = snapshot(run.root);
  for (const args of [["status"], ["log"], ["why", "ask"], ["questions"], ["diff"], ["stats"]])
    await run.cox(...args);
  expect(snapshot(run.root)).toEqual(before);
});
