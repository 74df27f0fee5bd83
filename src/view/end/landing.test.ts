import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { type LandingShown, landingText } from "./landing.ts";

const landing: LandingShown = {
  run: "shop-with-a-rather-long-name-1x2y",
  branch: "feature/some-long-branch-of-the-user",
  from: "a".repeat(40),
  tip: "b".repeat(40),
  commits: 3,
  how: "fast-forward",
  files: [{ path: "a.txt", change: "added" }],
  proof: "passed",
  commands: ["npm test"],
  readOnly: [],
  bypassed: { signature: false, hooks: [] },
  done: 1,
  total: 1,
};
const text = (more: Partial<LandingShown>, columns = 60) =>
  landingText({ ...landing, ...more }, { columns, paint: noPaint, ascii: false });

test("before landing, cox shows which branch moves from where to where, by how many commits, and what changes", () => {
  const files = [
    { path: "a.txt", change: "added" },
    { path: "b.txt", change: "changed" },
    { path: "c.txt", change: "changed" },
  ] as const;
  const [onto, move] = text({ branch: "main", run: "r1", files }, 100).split("\n");
  expect(onto).toBe("cox/r1 onto main");
  expect(move).toBe("  aaaaaaa → bbbbbbb, fast-forward · 3 commits · 3 files: 1 added, 2 changed");
  expect(text({ how: "merge", commits: 1 }, 100)).toContain(
    "\n  aaaaaaa → a merge commit with bbbbbbb · 1 commit · 1 file: 1 added\n",
  );
});

test("a warning that the run is not over is not cut off on a narrow terminal", () => {
  expect(text({ done: 1, total: 3 })).toContain("\n  ! the run is not over: 1 of 3 tasks\n");
  expect(text({})).not.toContain("!");
});

test("a tree without evidence is named before landing, with the commands that are run on it first", () => {
  expect(text({ how: "merge", proof: "none" })).toContain("run on it first: npm test\n");
  expect(text({ how: "merge", proof: "none", commands: [] })).toContain("no command is run on it\n");
  expect(text({ how: "merge", proof: "no-commands", commands: [] })).toContain("no verify command\n");
  expect(text({ how: "merge" })).not.toContain("!");
});

test("users who sign commits or have hooks are told that a run's commits have neither", () => {
  const shown = text({ bypassed: { signature: true, hooks: ["pre-commit", "commit-msg"] } });
  expect(shown).toContain("\n  ! its commits are not signed, though you have\n    commit.gpgsign on\n");
  expect(shown.replace(/\s+/g, " ")).toContain("hooks did not run on its commits: pre-commit, commit-msg");
});

test("a read-only file that a landing would change is named before the yes", () => {
  const shown = text({ readOnly: ["src/made.ts"] }).replace(/\s+/g, " ");
  expect(shown).toContain("! it changes 1 file that you made read-only: src/made.ts");
});
