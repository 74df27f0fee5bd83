import { expect, test } from "vitest";
import { type Mount, mountOf, mountTable, visibleMounts } from "./mount-table.ts";

test("the mount table always has a mount at the root, and its options say how access times are kept", () => {
  const table = mountTable();
  expect(mountOf("/no/such/place", table)).toBeDefined();
  for (const { options } of table) {
    expect(options).not.toContain("rw");
    expect(options.some((option) => /^(relatime|noatime|strictatime)$/.test(option))).toBe(true);
  }
});

const mount = (point: string): Mount => ({ point, options: [], isReadOnly: false });
const table = [mount("/"), mount("/srv"), mount("/srv/deep"), mount("/s")];

test.each([
  ["/srv/x", "/srv"],
  ["/srv", "/srv"],
  ["/srv/deep/x", "/srv/deep"],
  ["/srvx", "/"],
  ["/srv/deeper", "/srv"],
])("the path %s is on the mount at %s", (path, point) => {
  expect(mountOf(path, table)?.point).toBe(point);
});

test("a mount covered by another one is left out, and so is what is mounted on it", () => {
  const text = [
    "20 1 8:1 / / rw,relatime - ext4 /dev/a rw",
    "21 20 0:5 / /srv rw,nosuid - tmpfs first rw",
    "22 21 0:6 / /srv/deep rw - tmpfs x rw",
    "23 21 0:7 / /srv ro,noatime - tmpfs second rw",
    "24 20 0:8 / /homes/some/.cache rw - tmpfs x rw",
    "25 20 0:9 / /homes rw - tmpfs x rw",
    "26 20 0:9 / /with\\040space rw,relatime - tmpfs x rw",
  ].join("\n");
  expect(visibleMounts(text)).toEqual([
    { point: "/", options: ["relatime"], isReadOnly: false },
    { point: "/srv", options: ["noatime"], isReadOnly: true },
    { point: "/homes", options: ["strictatime"], isReadOnly: false },
    { point: "/with space", options: ["relatime"], isReadOnly: false },
  ]);
});
