import { expect, test } from "vitest";
import { noPaint } from "./text/paint.ts";
import { type Verification, verificationText } from "./verification-text.ts";

const look = { columns: 60, paint: noPaint, ascii: false };
const failed: Verification = {
  ...{ task: "a", passed: false, at: Date.UTC(2026, 0, 16, 10), tree: "t1", why: "npm test: exit code 1" },
  commands: [
    { command: "true", exit: 0, ms: 4, output: "" },
    { command: "npm test", exit: 1, ms: 61_000, output: `\u001b[2Jone\n${"wide ".repeat(30)}\nlast\n` },
  ],
  path: ".coxswain/runs/r/evidence/1.json",
};

test("a verification is shown with every kept line, its command and how that ended", () => {
  expect(verificationText(failed, look)).toBe(
    [
      "a  not verified  2026-01-16 10:00:00 UTC",
      "  ✓ true: exit code 0 after 0s",
      "    it printed nothing",
      "  ✗ npm test: exit code 1 after 1m01s",
      "    \\u001b[2Jone",
      `    ${"wide ".repeat(30)}`,
      "    last",
      "  .coxswain/runs/r/evidence/1.json",
      "",
    ].join("\n"),
  );
});

test("a verify command that was ended says so, and a verification of the whole run names no task", () => {
  const commands = [{ command: "sleep 40", exit: null, ms: 10_000, output: "waiting\n" }];
  const text = verificationText({ ...failed, task: null, commands }, look);
  expect(text).toContain("the whole run  not verified");
  expect(text).toContain("  ✗ sleep 40: was ended after 10s\n    waiting\n");
});
