import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeProcesses } from "../world/processes/node-processes.ts";
import { nodeRunClock } from "../world/time/node-run-clock.ts";
import { verifyHere } from "./verify-here.ts";

function here(command: string, { limitMs = 60_000, signal = new AbortController().signal } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cox-here-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = { PATH: process.env.PATH, SECRET_TOKEN: "s" };
  return verifyHere(
    { processes: nodeProcesses, clock: nodeRunClock(), environment, folder, limitMs },
    { command, signal },
  );
}

test("a verify command that exits with 0 has passed; its output is there, in order", async () => {
  expect(await here("echo one; echo two >&2; echo three")).toEqual({
    passed: true,
    exitCode: 0,
    output: "one\ntwo\nthree\n",
  });
});

test("any other end of a verify command than exit code 0 is reported with its reason", async () => {
  expect(await here("echo bad; exit 3")).toMatchObject({
    passed: false,
    exitCode: 3,
    why: "exit code 3",
    output: "bad\n",
  });
  expect(await here("kill -9 $$")).toMatchObject({ passed: false, exitCode: null, why: "ended by SIGKILL" });
});

test("a verify command is ended when it takes too long, and when the caller goes away", async () => {
  expect(await here("sleep 60", { limitMs: 50 })).toMatchObject({
    passed: false,
    why: expect.stringContaining("longer than"),
  });
  const leaving = new AbortController();
  const ended = here("sleep 60", { signal: leaving.signal });
  leaving.abort();
  expect(await ended).toMatchObject({ passed: false, why: "cancelled" });
});

test("a verify command sees no secret of our environment, and CI is set", async () => {
  expect(await here("echo $SECRET_TOKEN-$CI")).toMatchObject({ output: "-1\n" });
});
