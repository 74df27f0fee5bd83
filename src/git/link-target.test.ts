import { expect, test } from "vitest";
import { bytePath } from "../world/files/byte-path.ts";
import { strayLink } from "./link-target.ts";

test.each([
  ["link", "README.md"],
  ["link", "./src//a.ts"],
  ["src/link", "../README.md"],
  ["a/b/link", "../../src/a.ts"],
  ["a/b/link", ".."],
  ["link", "."],
])("the link %s → %s stays inside", (path, target) => {
  expect(strayLink(bytePath(path), bytePath(target))).toBeUndefined();
});

test.each([
  ["link", "/etc/passwd", "absolute"],
  ["link", "..", "outside"],
  ["src/link", "../../x", "outside"],
  // If `d` is itself a link to the root, `d/..` is outside, though it does not look so.
  ["a/b/link", "d/../x", "climbs again"],
  ["link", ".git/config", "git directory"],
  ["src/link", "../.GIT/hooks", "git directory"],
  ["src/.git/link", "x", "git directory"],
])("the link %s → %s does not stay inside", (path, target, why) => {
  expect(strayLink(bytePath(path), bytePath(target))).toContain(why);
});
