import { expect, test } from "vitest";
import { pictureOf } from "../../plan/picture.ts";
import { parsePlan } from "../../plan/read/parse.ts";
import { noPaint } from "../text/paint.ts";
import { planCheckDocument, planCheckText } from "./plan-check.ts";

const checked = (text: string) => {
  const parsed = parsePlan(text, { canVerify: true });
  return { ...parsed, text, name: "plan.md", picture: pictureOf(parsed.plan) };
};
const shown = (text: string) => planCheckText(checked(text), { columns: 100, paint: noPaint, ascii: false });

test("a plan problem shows its line, underlined where it is wrong, and what to write", () => {
  expect(shown("## Tasks\n- [ ] Bucket\n- [ ] Store\n\t- needs: bukcet\n")).toContain(
    [
      "✗ PLAN_UNKNOWN_DEPENDENCY  plan.md:4:11",
      '    "store" depends on "bukcet", which is not in this plan',
      "    4 │  - needs: bukcet",
      "      │           ^^^^^^",
      "    Did you mean #bucket?",
    ].join("\n"),
  );
});

test("the picture of a plan has tasks by level with agents and dependencies, and files that two tasks declare", () => {
  const text =
    "# Title\n## Tasks\n### A\n- Agent: x\n- Files: src/**\n### B\n- Files: src/b.ts\n### C\n- Agent: y\n- Needs: a, b\n### D\n- Status: done\n";
  expect(shown(text)).toBe(
    [
      "Title: 4 tasks in 2 levels, at most 3 at once",
      "level 1",
      "  · a  x",
      "  · b",
      "  ✓ d",
      "level 2",
      "  · c  y  after a, b",
      "files declared by two tasks of one level",
      "  src/b.ts  a, b",
      "",
      "✓ plan.md can be run",
      "",
    ].join("\n"),
  );
});

test("tasks on a circle are shown as never ready, and the plan cannot be run", () => {
  const text = shown("## Tasks\n- [ ] a\n  - needs: b\n- [ ] b\n  - needs: a\n");
  expect(text).toContain("never\n  · a  after b\n  · b  after a\n");
  expect(text).toContain("✗ plan.md cannot be run: 1 problem\n");
});

test("no text of a plan reaches a terminal raw", () => {
  const text = shown(
    "## Tasks\n### a\u001b[2Jb\n- Agent: \u001b]0;x\u0007\n- Wirtes: \u202ex\n- Needs: \u009b2J\n",
  );
  expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
});

test("a plan check of any size fits in a few lines, and is complete in its JSON", () => {
  const text = `## Tasks\n${Array.from({ length: 500 }, (_, at) => `- [ ] t${at}\n  - needs: no${at}\n`).join("")}`;
  expect(shown(text).split("\n").length).toBeLessThan(300);
  const document = planCheckDocument(checked(text));
  expect(document).toMatchObject({ ok: false, width: 500, levels: 1 });
  expect(document.tasks).toHaveLength(500);
  expect(document.errors).toHaveLength(500);
  expect(document.errors[0]).toMatchObject({ code: "PLAN_UNKNOWN_DEPENDENCY", line: 3, column: 12 });
});
