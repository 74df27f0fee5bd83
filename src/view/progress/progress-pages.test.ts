import { expect, test } from "vitest";
import { isProgressPage, ProgressPages, pageName } from "./progress-pages.ts";

test("a full page of progress is written once, and the newest entries stay in the main file", () => {
  const pages = new ProgressPages(10);
  for (const entry of ["aaaa\n", "bbbb\n", "cccc\n"]) pages.add(entry);
  expect(pages.unwritten).toEqual([{ name: "progress/0001.md", text: "aaaa\nbbbb\n" }]);
  expect(pages.newest()).toBe("aaaa\nbbbb\ncccc\n");
  expect(pages.earlier).toBe(0);
  for (const page of pages.unwritten) pages.written(page);
  expect(pages.unwritten).toEqual([]);
  pages.add("dddd\n");
  expect(pages.unwritten.map(({ name }) => name)).toEqual(["progress/0002.md"]);
  expect(pages.newest()).toBe("cccc\ndddd\n");
  expect(pages.earlier).toBe(1);
});

test("every progress entry is in exactly one page or in the one being filled, in order", () => {
  const pages = new ProgressPages(100);
  const entries = Array.from({ length: 500 }, (_, at) => `entry ${at}\n`);
  let written = "";
  let largest = 0;
  for (const entry of entries) {
    pages.add(entry);
    for (const page of pages.unwritten) {
      written += page.text;
      pages.written(page);
    }
    largest = Math.max(largest, pages.newest().length);
  }
  const all = entries.join("");
  expect(all.startsWith(written)).toBe(true);
  expect(all.endsWith(pages.newest())).toBe(true);
  // However many there were: two pages, each with at most one entry more than fits.
  expect(largest).toBeLessThan(2 * (100 + 20));
});

test("a page of progress is recognised by its file name", () => {
  expect(isProgressPage(pageName(1).slice("progress/".length))).toBe(true);
  expect(isProgressPage("0001.md.new")).toBe(false);
});
