import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { TurnRecord } from "../driver.ts";
import { TurnRecorder } from "./turn-recorder.ts";

function recorded(environment: Record<string, string>, act: (recorder: TurnRecorder) => void): TurnRecord[] {
  const records: TurnRecord[] = [];
  const recorder = new TurnRecorder({ onRecord: (record) => records.push(record) }, environment);
  act(recorder);
  recorder.end();
  return records;
}

test("a transcript has the output as lines, the last one even without a line break", () => {
  const records = recorded({}, (recorder) => {
    recorder.hear("stdout", encodeUtf8("one\ntw"));
    recorder.hear("stderr", encodeUtf8("beside\n"));
    recorder.hear("stdout", encodeUtf8("o"));
  });
  expect(records).toEqual([
    { from: "stdout", text: "one" },
    { from: "stderr", text: "beside" },
    { from: "stdout", text: "two" },
  ]);
});

test("a flood of output lines is recorded as some pieces of whole lines, and nothing is lost", () => {
  const flood = "y\n".repeat(200_000);
  const records = recorded({}, (recorder) => {
    for (let at = 0; at < flood.length; at += 150_001)
      recorder.hear("stdout", encodeUtf8(flood.slice(at, at + 150_001)));
  });
  expect(records.length).toBeLessThan(20);
  expect(`${records.map(({ text }) => text).join("\n")}\n`).toBe(flood);
});

test("a long transcript line that comes in parts is bounded, and the next one is whole", () => {
  const records = recorded({}, (recorder) => {
    for (let times = 0; times < 10; times++) recorder.hear("stderr", encodeUtf8("x".repeat(30_000)));
    recorder.hear("stderr", encodeUtf8("end\nnext\n"));
  });
  expect(records.map(({ text }) => text.length)).toEqual([65_536, 4]);
  expect(records[0]?.cut).toBe(300_003 - 65_536);
});

test.each([
  ["MY_API_KEY", "correct-horse", 'key "correct-horse"', 'key "[MY_API_KEY]"'],
  ["npm_token", "abcdef123", "a=abcdef123;b=abcdef123", "a=[npm_token];b=[npm_token]"],
  ["DB_PASSWORD", 'p"w\\d123', '{"text":"p\\"w\\\\d123"}', '{"text":"[DB_PASSWORD]"}'],
  [
    "GOOGLE_APPLICATION_CREDENTIALS",
    "/folder/key.json",
    "at /folder/key.json",
    "at [GOOGLE_APPLICATION_CREDENTIALS]",
  ],
  // Names that do not suggest a secret, and a value too short to be masked.
  ["LANG", "correct-horse", "correct-horse", "correct-horse"],
  ["GIT_AUTHOR_NAME", "Somebody", "Somebody", "Somebody"],
  ["A_KEY", "any", "anything", "anything"],
])("the value of %s is masked in a transcript, whatever it looks like", (name, value, said, kept) => {
  expect(recorded({ [name]: value }, (recorder) => recorder.record("event", said))).toEqual([
    { from: "event", text: kept },
  ]);
});

test("a secret that contains another one is masked whole in a transcript", () => {
  const environment = { A_TOKEN: "abcdef", B_TOKEN: "abcdef-ghijkl" };
  const [record] = recorded(environment, (recorder) => recorder.record("stdout", "is abcdef-ghijkl"));
  expect(record?.text).toBe("is [B_TOKEN]");
});

test("a transcript line is bounded, and says how much is missing", () => {
  const records = recorded({ A_KEY: "secret-at-the-edge" }, (recorder) => {
    recorder.hear("stdout", encodeUtf8(`${"x".repeat(65_530)}secret-at-the-edge${"y".repeat(100_000)}\n`));
    recorder.record("event", "z".repeat(1_000_000));
  });
  expect(records.map(({ text }) => text.length)).toEqual([65_536, 65_536]);
  expect(records[0]?.text.endsWith("x[A_KEY")).toBe(true);
  expect(records[1]?.cut).toBe(1_000_000 - 65_536);
});

test("a message that comes in pieces is one message in the transcript", () => {
  const records = recorded({}, (recorder) => {
    recorder.understand({ kind: "piece", text: "Hel" });
    recorder.understand({ kind: "piece", text: "lo" });
    recorder.understand({ kind: "action", words: "editing a.ts" });
    recorder.understand({ kind: "message", text: "done" });
    recorder.understand({ kind: "session", id: "s1" });
  });
  expect(records).toEqual([
    { from: "said", text: "Hello" },
    { from: "did", text: "editing a.ts" },
    { from: "said", text: "done" },
  ]);
});
