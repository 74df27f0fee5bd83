import { expect, test } from "vitest";
import { noPaint } from "../text/paint.ts";
import { widthOf } from "../text/width.ts";
import { agentsText } from "./agents-text.ts";

const agent = (name: string) => ({
  agent: name,
  role: "developer",
  driver: "claude-code",
  model: "opus",
  program: "claude",
  lacks: undefined,
  timeoutMs: undefined,
  description: "",
  version: "2.1.303",
  signedIn: { state: "unknown" } as const,
  can: undefined,
});

test("an agent with a long name, or one in another script, moves no column and makes no row too wide", () => {
  const names = [
    "dev",
    "限流器",
    "a-developer-whose-name-is-longer-than-any-table-on-a-terminal-could-hold-beside-the-rest",
  ];
  const text = agentsText({ agents: names.map(agent), programs: [] }, { paint: noPaint, ascii: false });
  const rows = text.split("\n").filter((line) => line.includes("developer  "));
  expect(rows).toHaveLength(3);
  const places = rows.map((row) => widthOf(row.slice(0, row.lastIndexOf("developer"))));
  expect(new Set(places).size).toBe(1);
  for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(80);
});
