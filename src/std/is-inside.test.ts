import { expect, test } from "vitest";
import { isInside } from "./is-inside.ts";

test.each([
  ["/a/b", "/a", true],
  ["/a", "/", true],
  ["/a", "/a", false],
  ["/ab", "/a", false],
  ["/", "/", false],
])("the path %s is inside %s: %s", (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected);
});
