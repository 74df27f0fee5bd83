import { expect, test } from "vitest";
import { transcriptText } from "./transcript-text.ts";

const look = { columns: 80, paint: (_: unknown, text: string) => text, ascii: false };

test("a transcript as text shows when, who and what; events are counted", () => {
  const text = transcriptText(
    {
      ...{ turn: "build.1.2", agent: "ada", role: "developer", others: ["build.1.1"] },
      path: ".coxswain/runs/r1/turns/build.1.2/transcript.jsonl",
      entries: [
        { ms: 900, from: "event", text: '{"type":"system"}' },
        { ms: 1200, from: "did", text: "editing a.ts" },
        { ms: 61_000, from: "said", text: "Done.\nREADY FOR AUDIT: build\n" },
        { ms: 61_000, from: "stderr", text: "\u001b[2Jwarning", cut: 12 },
        { ms: 62_000, from: "cox", text: "the turn ended with a reply" },
      ],
    },
    look,
  );
  expect(text).toBe(`build.1.2  ada, developer
    1s  did     editing a.ts
 1m01s  said    Done.
                READY FOR AUDIT: build
 1m01s  err     \\u001b[2Jwarning
                … (12 more characters)
 1m02s  cox     the turn ended with a reply
  1 event for programs: --json
  .coxswain/runs/r1/turns/build.1.2/transcript.jsonl
  cox transcript build.1.1
`);
});
