import { expect, test } from "vitest";
import { ServerLog } from "./server-log.ts";

test("MCP-29 of a hundred thousand log lines in ten seconds twenty are written, and later the number left out", () => {
  const said: string[] = [];
  let now = 0;
  const log = new ServerLog(
    (line) => said.push(line),
    () => now,
  );
  for (let at = 0; at < 100_000; at += 1) log.say(`line ${at}`);
  expect(said).toHaveLength(20);
  now = 10_000;
  log.say("the next");
  expect(said.slice(20)).toEqual(["cox mcp: 99,980 lines left out (LIMIT_RATE)\n", "cox mcp: the next\n"]);
});

test("every entry of the server's log is one line that does nothing to a terminal", () => {
  const said: string[] = [];
  const log = new ServerLog(
    (line) => said.push(line),
    () => 0,
  );
  log.say("a\nb \u001b[2J c");
  expect(said).toEqual(["cox mcp: a\\nb \\u001b[2J c\n"]);
});
