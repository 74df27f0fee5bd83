import { expect, test } from "vitest";
import { size } from "./size.ts";

test.each([
  [0, "0 B"],
  [842, "842 B"],
  [999, "999 B"],
  [1000, "1 KB"],
  [1390, "1.4 KB"],
  [12_345_678, "12 MB"],
  [999_999, "1 MB"],
  [5e15, "5000 TB"],
])("%d bytes read as %s", (bytes, text) => {
  expect(size(bytes)).toBe(text);
});
