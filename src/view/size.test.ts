import { expect, test } from "vitest";
import { size } from "./size.ts";

test.each([
  [0, "0 B"],
  [842, "842 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1434, "1.4 KB"],
  [12 * 1024 * 1024, "12 MB"],
  [5 * 1024 ** 5, "5120 TB"],
])("%d bytes read as %s", (bytes, text) => {
  expect(size(bytes)).toBe(text);
});
