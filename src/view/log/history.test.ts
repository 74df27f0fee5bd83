import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { historyText } from "./history.ts";

test("each changeset is one line, whatever its summary holds", () => {
  const at = "2026-01-02T03:04:05.678Z";
  const rows = [
    { id: "k3f9ab", at, state: "applied", files: 2, summary: "Fix\nit" },
    { id: "b", at, state: "undone", files: 1, undoes: "a" },
    { id: "c", at, state: "applied", files: 1, summary: "Old", cleared: true },
  ] as const;
  expect(historyText(rows, noPaint)).toBe(
    "k3f9ab  2026-01-02 03:04  applied     2 files    Fix\\nit\nb       2026-01-02 03:04  undone      1 file     undoes a\nc       2026-01-02 03:04  applied     1 file     Old  no longer undoable\n",
  );
  expect(historyText([], noPaint)).toBe("no changeset has been applied here yet\n");
});
