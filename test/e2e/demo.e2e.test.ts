/** The demo: what it promises to show really happened, in its repository and its log, whatever words it uses. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "./folder.ts";
import { type Ended, start } from "./program.ts";

const boundMs = 120_000;

test("the demo shows a whole run: a refused reply corrected, an audit and rework, a merge, a question, commits, a rollback", {
  timeout: boundMs,
}, async () => {
  const { ended, home, repository } = startDemo();
  const { exitCode, stdout, stderr } = await ended;
  expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).not.toContain("\u001b");

  const log = eventsOf(repository());
  expect(mostAtWork(log)).toBe(4);
  expect(happened(log, "tax", "reply_refused", "task_commit_recorded")).toBe(true);
  expect(happened(log, "amounts", "auditor_fail", "audit_passed")).toBe(true);
  expect(happened(log, "receipt", "agent_seeks_guidance", "task_commit_recorded")).toBe(true);
  expect(named(log, "divine_response_received")).toMatchObject([{ data: { by: { door: "command" } } }]);
  expect(tasksOf(log, "task_commit_recorded").sort()).toEqual(tasks);
  expect(tasksOf(log, "task_rolled_back")).toEqual(["points", "discount"]);

  const git = gitIn(repository());
  const branch = git("for-each-ref", "--format=%(refname)", "refs/heads/cox");
  const trailers = "%(trailers:key=Coxswain-Task,valueonly,separator=)";
  const commits = git("log", "--reverse", `--format=${trailers}`, `main..${branch}`).split("\n");
  expect(commits.slice(0, 6).sort()).toEqual(tasks);
  expect(commits.slice(6)).toEqual(["points", "discount"]);

  // Both began on the same commit, both changed the file, and the later commit is on top of the earlier one.
  const [base, ...others] = new Set(
    named(log, "developer_dispatched")
      .filter(({ data }) => data.task === "discount" || data.task === "tax")
      .map(({ data }) => data.base),
  );
  expect(others).toEqual([]);
  expect(base).toBe(git("rev-parse", "main"));
  expect(git("log", "--format=%s", `main..${branch}~2`, "--", "src/till.js").split("\n")).toHaveLength(2);
  expect(git("show", `${branch}~2:src/till.js`)).toMatch(/discounted\(item\)[\s\S]*net \+ tax\(net\)/);
  expect(git("show", `${branch}:src/till.js`)).toMatch(/price \* count[\s\S]*net \+ tax\(net\)/);

  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-list", "--count", "main")).toBe("1");
  git("checkout", "--quiet", "--detach", branch);
  execFileSync(process.execPath, ["test/all.js"], { cwd: repository(), stdio: "pipe" });

  expect(readdirSync(home)).toEqual([]);
  expect(running(repository())).toEqual([]);
});

test("a demo that gets SIGTERM ends, and leaves no process running", { timeout: boundMs }, async () => {
  const { child, ended, repository } = startDemo();
  const isUnderWay = () => {
    const place = repository();
    return place !== "" && existsSync(place) && eventsOf(place).length > 5;
  };
  while (child.exitCode === null && !isUnderWay()) await sleep(20);
  child.kill("SIGTERM");
  expect((await ended).exitCode).toBe(130);
  expect(running(repository())).toEqual([]);
});

test("cox demo apply shows single replies, and keeps its folder", { timeout: boundMs }, async () => {
  const { ended, temporary } = startDemo("apply");
  const { exitCode, stdout } = await ended;
  expect(exitCode).toBe(0);
  expect(stdout).toContain("2 of 2 files on disk, read back");
  expect(stdout).toContain("400 of 400 pages are there: whole, never half.");
  expect(stdout).toContain("0 of 400 pages there");
  const [folder = ""] = readdirSync(temporary);
  expect(existsSync(join(temporary, folder, "replies/good.md"))).toBe(true);
});

test("an unknown demo is refused", async () => {
  const { exitCode, stderr } = await startDemo("rum").ended;
  expect(exitCode).toBe(2);
  expect(stderr).toContain("cox demo apply");
});

const tasks = ["amounts", "discount", "money", "points", "receipt", "tax"];

interface Demo {
  readonly child: ReturnType<typeof start>["child"];
  readonly ended: Promise<Ended>;
  /** The home, in which nothing may be touched. */
  readonly home: string;
  readonly temporary: string;
  repository(): string;
}

function startDemo(...words: readonly string[]): Demo {
  const folder = folderWith();
  const [home, temporary] = [join(folder, "home"), join(folder, "temporary")];
  for (const one of [home, temporary]) mkdirSync(one);
  const env = { HOME: home, TMPDIR: temporary, GIT_CONFIG_NOSYSTEM: "1", XDG_CONFIG_HOME: home };
  const { child, ended } = start(["demo", ...words], { cwd: folder, env });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const repository = () => {
    const [made] = readdirSync(temporary).filter((name) => name.startsWith("cox-demo-"));
    return made === undefined ? "" : join(temporary, made, "till");
  };
  return { child, ended, home, temporary, repository };
}

interface Logged {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function eventsOf(repository: string): Logged[] {
  const runs = join(repository, ".coxswain/runs");
  const names = existsSync(runs) ? readdirSync(runs) : [];
  const [log] = names.map((name) => join(runs, name, "events.jsonl")).filter((path) => existsSync(path));
  const whole = log === undefined ? [] : readFileSync(log, "utf8").split("\n").slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Logged);
}

function named(log: readonly Logged[], event: string): Logged[] {
  return log.filter((one) => one.event === event);
}

function tasksOf(log: readonly Logged[], event: string): unknown[] {
  return named(log, event).map(({ data }) => data.task);
}

/** Whether the first event happened, and the second one later. */
function happened(log: readonly Logged[], task: string, first: string, second: string): boolean {
  const at = log.findIndex(({ event, data }) => event === first && data.task === task);
  return at !== -1 && tasksOf(log.slice(at), second).includes(task);
}

function mostAtWork(log: readonly Logged[]): number {
  const atWork = new Set<unknown>();
  let most = 0;
  for (const { event, data } of log) {
    if (event === "agent_dispatched") atWork.add(data.turn);
    if (event === "agent_complete") atWork.delete(data.turn);
    most = Math.max(most, atWork.size);
  }
  return most;
}

function gitIn(cwd: string) {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  return (...args: readonly string[]) => execFileSync("git", args, { cwd, env, encoding: "utf8" }).trim();
}

/** Processes that are running in the demo's folder. */
function running(repository: string): string[] {
  if (!existsSync("/proc/self/cwd")) return [];
  const folder = join(repository, "..");
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    });
}
