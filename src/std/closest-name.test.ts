import { expect, test } from "vitest";
import { closestName } from "./closest-name.ts";

test.each([
  ["scr", ["test", "src"], "src"],
  ["aply", ["apply", "undo"], "apply"],
  ["readme", ["LICENSE", "README"], "README"],
  ["specialist_sumary", ["file_operations", "specialist_summary"], "specialist_summary"],
  ["e\u0301tude.md", ["\u00e9tude.md"], "\u00e9tude.md"],
  ["frobnicate", ["apply", "undo"], undefined],
  ["x", ["id", "yes"], undefined],
  ["anything", [], undefined],
  ["x".repeat(256), ["x".repeat(255)], undefined],
])("%s among %j is taken for %s", (wanted, names, meant) => {
  expect(closestName(wanted, names)).toBe(meant);
});
