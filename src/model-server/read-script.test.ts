import { expect, test } from "vitest";
import { readModelScript } from "./read-script.ts";

const read = (text: string) => readModelScript(new TextEncoder().encode(text));

test("a model script is read from YAML and from JSON", () => {
  const yaml = `
models: [small, large]
conversations:
  summary:
    when: { prompt: a detailed summary }
    steps:
      - text: |
          It went well.
  main:
    steps:
      - { tool: Read, input: { path: a.txt }, usage: { input: 7 } }
      - rateLimit: { resetSeconds: 60 }
        times: 2
      - text: done
`;
  const script = {
    models: ["small", "large"],
    conversations: {
      summary: { when: { prompt: "a detailed summary" }, steps: [{ text: "It went well.\n" }] },
      main: {
        steps: [
          { tool: "Read", input: { path: "a.txt" }, usage: { input: 7 } },
          { rateLimit: { resetSeconds: 60 }, times: 2 },
          { text: "done" },
        ],
      },
    },
  };
  expect(read(yaml)).toEqual({ value: script });
  expect(read(JSON.stringify(script))).toEqual({ value: script });
  expect(read("")).toEqual({ value: {} });
});

const step = (text: string) => `conversations:\n  main:\n    steps:\n      - ${text}\n      - text: done\n`;

test.for([
  ["a: [", "line 1", "quotes"],
  ["conversation: {}", '"conversation" is unknown', '"conversations"'],
  ["conversations:\n  main:\n    step: []\n", '"step" is unknown', '"steps"'],
  ["conversations:\n  main:\n    steps: []\n", "steps", "conversations"],
  ["conversations:\n  a:\n    when: { promt: x }\n    steps: [{ text: a }]\n", '"promt"', '"prompt"'],
  [step("txt: a"), 'line 4, conversations.main.steps[0]: "txt" is unknown', '"text"'],
  [step("{ tools: [{ tol: a }] }"), '"tol"', '"tool"'],
  [step("usage: { input: 1 }"), "a step needs one of text", ""],
  [step("{ text: a, status: 500 }"), "status happens in place of text", ""],
  [step("{ drop: true, hang: true }"), "drop and hang cannot happen in one step", ""],
  [step("truncate: true"), "a step needs one of text", ""],
  [step("{ tool: a, tools: [{ tool: b }] }"), "either `tool:` or `tools:`", ""],
  [step("{ text: a, input: {} }"), "`input:` belongs to a `tool:`", ""],
  [step("{ text: a, error: b }"), "`error:` belongs to a `status:`", ""],
  [step("status: 200"), "conversations.main.steps[0].status", ""],
  ["conversations: { a: { steps: [{ status: 500, times: 2 }] } }", "nothing follows", ""],
] as const)("a model script with %s is refused", ([text, message, hint]) => {
  const reading = read(text);
  const problems = "problems" in reading ? reading.problems : [];
  expect(problems).toContainEqual({
    code: "MODEL_SCRIPT_BAD",
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  });
});
