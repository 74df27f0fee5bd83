import { expect, test } from "vitest";
import { isInside, type Mount, mountOf, mountTable } from "./mount-table.ts";

test("there is always a mount at the root, and options say how access times are kept", () => {
  const table = mountTable();
  expect(mountOf("/no/such/place", table)).toBeDefined();
  for (const { options } of table) {
    expect(options).not.toContain("rw");
    expect(options.some((option) => /^(relatime|noatime|strictatime)$/.test(option))).toBe(true);
  }
});

const mount = (point: string, ...options: string[]): Mount => ({ point, options });
const table = [mount("/"), mount("/srv", "first"), mount("/srv", "second"), mount("/srv/deep"), mount("/s")];

test.each([
  ["/srv/x", "/srv", ["second"]],
  ["/srv", "/srv", ["second"]],
  ["/srv/deep/x", "/srv/deep", []],
  ["/srvx", "/", []],
  ["/srv/deeper", "/srv", ["second"]],
])("%s is on the mount at %s", (path, point, options) => {
  expect(mountOf(path, table)).toEqual({ point, options });
});

test.each([
  ["/a/b", "/a", true],
  ["/a", "/", true],
  ["/a", "/a", false],
  ["/ab", "/a", false],
  ["/", "/", false],
])("%s in %s: %s", (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected);
});
