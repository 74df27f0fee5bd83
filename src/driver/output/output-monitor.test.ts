import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { SignOfLife } from "../driver.ts";
import { OutputMonitor } from "./output-monitor.ts";

test("of a flood of output the last lines come through, and the checkpoints before them", () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => (at === 1234 ? "Checkpoint: users" : `line ${at}`));
  const { listener, signs } = listening();
  listener.hear("stdout", encodeUtf8(`${lines.join("\n")}\n`));
  const texts = signs.flatMap((sign) => (sign.kind === "line" ? [sign.text] : []));
  expect(texts[0]).toBe("Checkpoint: users");
  expect(texts.at(-1)).toBe("line 4999");
  expect(texts.length).toBeLessThan(200);
  expect(listener.lastLine).toBe("line 4999");
});

test("the last complaint of a program is from stderr, else from stdout", () => {
  const { listener } = listening();
  listener.hear("stdout", encodeUtf8("no luck\n"));
  expect(listener.lastComplaint).toBe("no luck");
  listener.hear("stderr", encodeUtf8("Error: no disk\n"));
  listener.hear("stdout", encodeUtf8("bye\n"));
  expect([listener.lastComplaint, listener.lastLine]).toEqual(["Error: no disk", "bye"]);
});

test.each([
  ["Error: no disk\n    at x (file:///a.mjs:1:7)\n\nNode.js v20.20.2\n", "Error: no disk"],
  [
    "node:internal/x:1\n  throw err;\n  ^\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at y {\n  code: 'ERR'\n}\n\nNode.js v22.1.0\n",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'",
  ],
  ["out of ideas\n\nNode.js v20.20.2\n", "out of ideas"],
  ["Node.js v20.20.2\n", "Node.js v20.20.2"],
  ["TypeError: no\nsaved what there was\n", "saved what there was"],
])("the most telling line of a program's report %j is %j", (report, telling) => {
  const { listener } = listening();
  listener.hear("stderr", encodeUtf8(report));
  expect([listener.lastComplaint, listener.lastLine]).toEqual([telling, telling]);
});

test("an agent's last line without a line break is read at the end", () => {
  const { listener, signs } = listening();
  listener.hear("stderr", encodeUtf8("Compiling…"));
  expect(listener.lastLine).toBe("");
  listener.end();
  expect(listener.lastLine).toBe("Compiling…");
  expect(signs.at(-1)).toEqual({ kind: "action", words: "Compiling…" });
});

function listening() {
  const signs: SignOfLife[] = [];
  return { listener: new OutputMonitor({ onSign: (sign) => signs.push(sign) }), signs };
}
