/** `.ci/run` with a fake npm: the test decides what each part prints and how it ends. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { house } from "../tidy/tree.ts";
import { folderWith } from "./folder.ts";

interface Part {
  readonly lastLine: string;
  readonly exitCode: number;
}

const fine: Part = { lastLine: "3 passed, 0 failed", exitCode: 0 };
const parts = ["test", "campaign", "test:clients"] as const;

test(".ci/run runs the tests, the campaign and the clients, and ends with one count over all three", () => {
  const run = ciRun({ campaign: { lastLine: "40 passed, 0 failed", exitCode: 0 } });
  expect(run.typed).toEqual(["npm test", "npm run campaign", "npm run test:clients"]);
  expect(run.lines).toEqual([
    "the summary of test",
    "3 passed, 0 failed",
    "the summary of campaign",
    "40 passed, 0 failed",
    "the summary of test:clients",
    "3 passed, 0 failed",
    "46 passed, 0 failed",
  ]);
  expect(run.exitCode).toBe(0);
});

test.each(parts)("when '%s' fails, .ci/run still runs the others, and fails", (name) => {
  const run = ciRun({ [name]: { lastLine: "2 passed, 1 failed", exitCode: 1 } });
  expect(run.typed).toHaveLength(3);
  expect(run.lines.at(-1)).toBe("8 passed, 1 failed");
  expect(run.exitCode).toBe(1);
});

test.each([
  ["ends without a count", { lastLine: "Killed", exitCode: 137 }, "6 passed, 1 failed"],
  ["ends without a count, as if all were well", { lastLine: "", exitCode: 0 }, "6 passed, 1 failed"],
  ["fails and counts no failure", { lastLine: "3 passed, 0 failed", exitCode: 2 }, "9 passed, 1 failed"],
])(".ci/run counts a part that %s as a failure", (_, part, count) => {
  const run = ciRun({ campaign: part });
  expect(run.lines.at(-1)).toBe(count);
  expect(run.lines).toContainEqual(expect.stringMatching(/^failed: npm run campaign: it ended with /));
  expect(run.exitCode).toBe(1);
});

function ciRun(said: Partial<Record<(typeof parts)[number], Part>>) {
  const cases = parts.map((name) => {
    const { lastLine, exitCode } = said[name] ?? fine;
    return `${name}) echo "the summary of ${name}"; echo "${lastLine}"; exit ${exitCode} ;;`;
  });
  const root = folderWith({
    "bin/npm": [
      "#!/bin/sh",
      'echo "npm $*" >> typed.txt',
      '[ "$1" = run ] && shift',
      'case "$1" in',
      ...cases,
      "esac",
      "",
    ].join("\n"),
  });
  chmodSync(join(root, "bin/npm"), 0o755);
  cpSync(join(house, ".ci/run"), join(root, ".ci/run"));
  const { status, stdout } = spawnSync(join(root, ".ci/run"), [], {
    cwd: "/",
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    env: { CI: "true", PATH: `${join(root, "bin")}:${process.env.PATH}` },
  });
  return {
    exitCode: status,
    lines: stdout.trimEnd().split("\n"),
    typed: readFileSync(join(root, "typed.txt"), "utf8").trimEnd().split("\n"),
  };
}
