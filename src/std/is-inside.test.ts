import { expect, test } from "vitest";
import { isInside } from "./is-inside.ts";

test.each([
  ["/a/b", "/a", true],
  ["/a", "/", true],
  ["/a", "/a", false],
  ["/ab", "/a", false],
  ["/", "/", false],
])("%s in %s: %s", (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected);
});
