import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { type StepRow, stepsText } from "./steps.ts";

const row: StepRow = { operation: "create", path: "a.ts", description: "Make it", after: 1200 };

test("each operation of a changeset is shown with its mark, sizes and line counts", () => {
  const rows: StepRow[] = [
    { ...row, lines: { added: 40, removed: 0 } },
    {
      ...row,
      operation: "edit",
      path: "longer.ts",
      before: 3100,
      after: 3300,
      lines: { added: 4, removed: 1 },
    },
    { operation: "delete", path: "b", description: "Go", before: 5, lines: { added: 0, removed: 2 } },
  ];
  expect(stepsText(rows, noPaint)).toBe(
    [
      "+ create a.ts       1.2 KB  +40",
      "    Make it",
      "~ edit   longer.ts  3.1 KB → 3.3 KB  +4  −1",
      "    Make it",
      "− delete b          5 B  −2",
      "    Go",
      "",
    ].join("\n"),
  );
});

test("a list of thousands of operations is cut and counted", () => {
  const text = stepsText(
    Array.from({ length: 1000 }, () => row),
    noPaint,
  );
  expect(text.split("\n")).toHaveLength(200 * 2 + 2);
  expect(text).toContain("… and 800 more operations");
});

test("an operation's path and description stay on their lines", () => {
  const text = stepsText([{ ...row, path: "a\nb", description: "x\n+ create evil" }], noPaint);
  expect(text.split("\n")).toHaveLength(3);
});
