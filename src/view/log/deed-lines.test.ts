import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { type DeedRow, deedLines } from "./deed-lines.ts";

const row: DeedRow = {
  number: 7,
  when: "2026-03-01 12:04:11",
  by: "claude-code 2.1",
  door: "mcp-stdio",
  tool: "complete_coordinator_task",
  about: "completed #write-it",
  places: ["/coordinator/active.md#write-it"],
};

test("a change of documents is one line: when, who through which door, what, and where", () => {
  expect(deedLines([row], noPaint)).toBe(
    "   7  2026-03-01 12:04:11  claude-code 2.1 (mcp-stdio)  complete_coordinator_task  completed #write-it  /coordinator/active.md#write-it\n",
  );
  expect(deedLines([], noPaint)).toBe("no document has been changed here yet\n");
});

test("the line of a change of documents never acts on a terminal or breaks in two, and many places are counted", () => {
  const evil = "a\u001b[2J\nb";
  const text = deedLines(
    [{ ...row, by: evil, tool: evil, about: evil, places: [evil, "/b", "/c", "/d", "/e"] }],
    noPaint,
  );
  expect(text).not.toContain("\u001b");
  expect(text.split("\n")).toHaveLength(2);
  expect(text).toContain("/b, /c, and 2 more");
});
