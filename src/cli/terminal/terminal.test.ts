import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { isColoured, openTerminal } from "./terminal.ts";

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: "1" }, false],
  [true, { NO_COLOR: "" }, true],
  [true, { TERM: "dumb" }, false],
  [false, { FORCE_COLOR: "1" }, true],
  [true, { FORCE_COLOR: "0" }, false],
  [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
])("a stream that is a terminal: %s, with %j, is coloured: %s", (isTTY, env, coloured) => {
  expect(isColoured({ isTTY }, env)).toBe(coloured);
});

test("under --json notices are dropped and nothing is coloured or asked to stay still", () => {
  const { terminal, stdout, stderr } = opened({ json: true });
  terminal.notice("a notice");
  terminal.print(terminal.paint("red", "{}"));
  expect([stdout.read()?.toString(), stderr.read()]).toEqual(["{}", null]);
  expect(terminal.isWatched).toBe(false);
});

test("output to a reader that went away is dropped silently; any other write failure is thrown", () => {
  const { terminal, stdout } = opened({ json: false });
  stdout.emit("error", Object.assign(new Error("gone"), { code: "EPIPE" }));
  terminal.print("lost");
  expect(stdout.read()).toBeNull();
  expect(() => stdout.emit("error", Object.assign(new Error("bad"), { code: "EIO" }))).toThrow("bad");
});

function opened({ json }: { json: boolean }) {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const streams = { stdout, stderr, env: {} } as unknown as Parameters<typeof openTerminal>[0];
  return { terminal: openTerminal(streams, { json, noColor: false }), stdout, stderr };
}
