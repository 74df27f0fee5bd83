import { expect, test } from "vitest";
import { encodeUtf8 } from "../../std/utf8.ts";
import { readAgentScript } from "./read-script.ts";

test("a script in YAML and in JSON is read the same", () => {
  const steps = [
    { kind: "say", value: "hi" },
    { kind: "hang", value: true },
  ];
  const expected = { script: { tasks: { a: { developer: [steps] } } } };
  expect(read("tasks:\n  a:\n    developer:\n      - - say: hi\n        - hang: true\n")).toEqual(expected);
  const json = { tasks: { a: { developer: [[{ say: "hi" }, { hang: true }]] } } };
  expect(read(JSON.stringify(json))).toEqual(expected);
  expect(read(JSON.stringify(json, null, "\t"))).toEqual(expected);
});

test("an anchor in a script may stand for repeated steps", () => {
  const reading = read("tasks: { a: { dev: &d [[{ say: hi }]] }, b: { dev: *d } }");
  expect(reading).toHaveProperty("script.tasks.b.dev[0][0].value", "hi");
});

test.for([
  ["a: [1", /^the script is neither YAML nor JSON: line 1: /],
  [
    "default:\n  dev: [[]]\n  dev: [[]]",
    /^the script is neither YAML nor JSON: line 3: Map keys must be unique/,
  ],
  ["- say: hi", /^line 1: .*expected object, received array/],
  ["task: {}", /^line 1: "task" is unknown$/],
  ["tasks:\n  users:\n    developer: hello", /^line 3, tasks.users.developer: "hello" fits nothing/],
  [
    "tasks:\n  users:\n    developer:\n      - say: hi",
    /^line 4, tasks.users.developer\[0\]: .*expected array, received object/,
  ],
  [
    "default:\n  dev:\n    - - say: a\n        shout: b",
    /^line 3, default.dev\[0\]\[0\]: "shout" is unknown$/,
  ],
  [
    "default:\n  dev:\n    - - say: a\n        run: [b]",
    /^line 3, default.dev\[0\]\[0\]: a step does one thing, this one has "say" and "run"$/,
  ],
  ["default:\n  dev:\n    - - {}", /a step does one thing, this one has nothing$/],
  [
    "default:\n  dev:\n    - - say: hi\n      - sleep: soon",
    /^line 4, default.dev\[0\]\[1\].sleep: .*expected number, received string/,
  ],
  ["default: { dev: [[{ write: { path: a } }]] }", /write.content: /],
  ['default: { dev: [[{ delete: "a\\0b" }]] }', /delete: a path holds no NUL$/],
  ["default: { dev: [[{ exit: 256 }]] }", /exit: /],
  ["default: { dev: [[{ run: git push }]] }", /run: .*expected array, received string/],
  ["default: { dev: { attempts: { first: [] } } }", /attempts.first: /],
] as const)("the script %j is refused", ([text, message]) => {
  const reading = read(text);
  expect(reading).toHaveProperty("problems[0].code", "SCRIPT_BAD");
  expect(reading).toHaveProperty("problems[0].message", expect.stringMatching(message));
});

test("a misspelt step of a script gets the name that was probably meant", () => {
  const reading = read("default: { dev: [[{ chekpoint: a }]] }");
  expect(reading).toHaveProperty("problems[0].hint", 'Did you mean "checkpoint"?');
});

test("all mistakes of a script are reported at once, without raw control characters", () => {
  const reading = read('default: { dev: [[{ "\\e[2J": 1 }, { sleep: x }]] }');
  expect(reading).toHaveProperty("problems.length", 2);
  expect(JSON.stringify(reading)).not.toContain("\u001b");
});

test("a script with aliases that multiply is refused, not expanded", () => {
  const levels = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`);
  const reading = read(["a0: &a0 [x]", ...levels].join("\n"));
  expect(reading).toHaveProperty("problems[0].message", expect.stringMatching(/alias/i));
});

test("a script that is nested without end is refused", () => {
  const reading = read(`a: ${"[".repeat(50_000)}`);
  expect(reading).toHaveProperty("problems[0].message", expect.stringMatching(/neither YAML nor JSON/));
});

test("an empty script is a script in which nobody does anything", () => {
  expect(read("")).toEqual({ script: {} });
});

function read(text: string) {
  return readAgentScript(encodeUtf8(text));
}
