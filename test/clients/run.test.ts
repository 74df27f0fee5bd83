/** The ground that the tests with real clients stand on. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fetched } from "./fetched.ts";
import { run } from "./run.ts";

const env = { PATH: "/usr/bin:/bin" };

test("a child that left the session is ended with the program that started it", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "cox-run-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const script = "setsid sleep 600 > /dev/null 2>&1 < /dev/null & echo $! > pid; cat";
  const ended = await run(["sh", "-c", script], { cwd, env, stdin: "heard", deadlineMs: 20_000 });
  expect(ended).toMatchObject({ exitCode: 0, signal: null, stdout: "heard" });
  const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a program that does not end is ended at its deadline", async () => {
  const ended = await run(["sleep", "600"], { cwd: tmpdir(), env, deadlineMs: 50 });
  expect(ended).toMatchObject({ exitCode: null, signal: "SIGKILL" });
});

test("in a talk each line is said when the one before is answered, and then stdin is closed", async () => {
  const talk = { says: ["one\n", "two\n"], isAnswer: (line: string) => line.startsWith("heard") };
  const script = "while read line; do echo heard $line; done; echo over";
  const ended = await run(["sh", "-c", script], { cwd: tmpdir(), env, stdin: talk, deadlineMs: 20_000 });
  expect(ended.stdout).toBe("heard one\nheard two\nover\n");
});

test("a program that cannot be had is told with npm's own reason", async () => {
  const lost = { name: "@coxswain/there-is-no-such-package", version: "9.9.9", program: "lost" };
  const found = await fetched(lost);
  expect(found).toEqual({
    missing: expect.stringMatching(/^@coxswain\/there-is.* could not be fetched: npm/),
  });
});

function isRunning(pid: number): boolean {
  try {
    // The state stands behind the name; Z is one that has ended and that nobody asked about.
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
