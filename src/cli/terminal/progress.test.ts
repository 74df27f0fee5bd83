import { expect, test } from "vitest";
import { noPaint } from "../../view/text/paint.ts";
import { openProgress } from "./progress.ts";

test("progress shows nothing for work of less than a second, and at most ten lines a second for longer work", () => {
  const { shown, terminal } = watched(true);
  let now = 0;
  let ignored = 0;
  const ignoreKeys = () => {
    ignored += 1;
    return () => {};
  };
  const progress = openProgress({ terminal, clock: { now: () => now }, ignoreKeys });
  for (; now < 2000; now += 10) progress.report(now, 2000, "staged\n");
  progress.end();
  expect(shown).toHaveLength(10 + 1);
  expect(ignored).toBe(1);
  expect(shown[0]).toBe("\r\u001b[K1000 of 2000  staged\\n");
  expect(shown.at(-1)).toBe("\r\u001b[K");
});

test("no progress is shown where nobody watches the terminal", () => {
  const { shown, terminal } = watched(false);
  let now = 0;
  const ignoreKeys = () => expect.unreachable("nothing is shown that keys could disturb");
  const progress = openProgress({ terminal, clock: { now: () => now }, ignoreKeys });
  for (; now < 5000; now += 10) progress.report(now, 5000, "staged");
  progress.end();
  expect(shown).toEqual([]);
});

function watched(isWatched: boolean) {
  const shown: string[] = [];
  const notice = (text: string) => {
    shown.push(text);
  };
  return {
    shown,
    terminal: {
      print: () => {},
      notice,
      paint: noPaint,
      noticePaint: noPaint,
      isUnread: () => false,
      size: () => ({ columns: 80, rows: 24 }),
      ascii: false,
      isWatched,
      json: false,
    },
  };
}
