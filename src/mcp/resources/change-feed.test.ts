import { expect, onTestFinished, test, vi } from "vitest";
import { SmallStore } from "../../../test/document/small-store.ts";
import { memoryRuns } from "../../../test/mcp/memory-runs.ts";
import { ChangeFeed } from "./change-feed.ts";

function fed(files: Readonly<Record<string, string>> = {}) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const store = new SmallStore(files);
  const runs = memoryRuns({ one: "" });
  const feed = new ChangeFeed({ store, runs }, 200);
  const heard: string[] = [];
  const stop = feed.listen({ updated: (uri) => heard.push(uri), listChanged: () => heard.push("list") });
  return { store, runs, heard, stop };
}

test("MCP-29 a hundred thousand changes are announced a few times a second, each document once", () => {
  const { store, heard } = fed({ "/a.md": "0", "/b.md": "0" });
  for (let at = 0; at < 100_000; at += 1) store.put(at % 2 ? "/a.md" : "/b.md", String(at));
  vi.advanceTimersByTime(1_000);
  expect(heard.sort()).toEqual(["cox://docs/a.md", "cox://docs/b.md"]);
});

test("changes are announced even if a folder never stops changing", () => {
  const { store, heard } = fed({ "/a.md": "0" });
  for (let at = 0; at < 100; at += 1) {
    store.put("/a.md", String(at));
    vi.advanceTimersByTime(10);
  }
  expect(heard.length).toBeGreaterThanOrEqual(4);
  expect(heard.length).toBeLessThanOrEqual(5);
});

test("a change of the list is announced only when a document came or went", () => {
  const { store, heard } = fed({ "/a.md": "0" });
  store.put("/a.md", "1");
  vi.advanceTimersByTime(200);
  expect(heard.splice(0)).toEqual(["cox://docs/a.md"]);
  store.put("/new.md", "0");
  vi.advanceTimersByTime(200);
  expect(heard.splice(0)).toEqual(["cox://docs/new.md", "list"]);
  store.drop("/a.md");
  vi.advanceTimersByTime(200);
  expect(heard.splice(0)).toEqual(["cox://docs/a.md", "list"]);
});

test("a change of a run announces each of its views, and the list when a run came or went", () => {
  const { runs, heard } = fed();
  for (let at = 0; at < 100; at += 1) runs.put("one", String(at));
  vi.advanceTimersByTime(200);
  const views = (run: string) => ["status", "questions", "log"].map((view) => `cox://runs/${run}/${view}`);
  expect(heard.splice(0)).toEqual(views("one"));
  runs.put("two", "");
  vi.advanceTimersByTime(200);
  expect(heard.splice(0)).toEqual([...views("two"), "list"]);
  runs.put("one", undefined);
  vi.advanceTimersByTime(200);
  expect(heard.splice(0)).toEqual([...views("one"), "list"]);
});

test("a client that stopped listening gets no more announcements", () => {
  const { store, runs, heard, stop } = fed({ "/a.md": "0" });
  store.put("/a.md", "1");
  runs.put("one", "1");
  stop();
  vi.advanceTimersByTime(1_000);
  store.put("/a.md", "2");
  runs.put("one", "2");
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual([]);
});
