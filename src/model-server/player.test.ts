import { expect, test } from "vitest";
import { scriptInPrompt } from "../../test/doubles/script-in-prompt.ts";
import type { ModelMessage, ModelRequest } from "./model-request.ts";
import { meantTool, Player } from "./player.ts";
import type { ModelScript, ModelStep } from "./script.ts";

const said = (text: string): ModelMessage => ({ role: "user", text, results: [] });
const answered: ModelMessage = { role: "assistant", text: "x", calls: [] };
const result: ModelMessage = { role: "user", text: "", results: [{ id: "c", text: "held" }] };

function request(turns: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  const base = {
    format: "anthropic",
    model: "m",
    stream: false,
    system: "",
    tools: [{ name: "Read" }],
  } as const;
  return { ...base, turns, ...more };
}

const one = { text: "one" };
const two = { text: "two" };
const three = { text: "three" };

function choose(script: ModelScript, ...requests: readonly ModelRequest[]) {
  const player = new Player(script);
  return requests.map((asked) => player.choose(asked));
}

function stepsOf(script: ModelScript, ...requests: readonly ModelRequest[]) {
  return choose(script, ...requests).map((choice) => ("step" in choice ? choice.step : choice));
}

const inPrompt = (...steps: ModelStep[]) => said(`Please.\n${scriptInPrompt({ steps })}\nThank you.`);

test("each model turn plays one step of the script; the last one repeats", () => {
  const script = { conversations: { main: { steps: [one, two] } } };
  const hello = said("hello");
  expect(
    stepsOf(
      script,
      request([hello]),
      request([hello, answered, result]),
      request([hello, answered, result, answered, result]),
      request([hello]),
    ),
  ).toEqual([one, two, two, one]);
});

test("the steps of a script in the prompt are counted from the last prompt that has one", () => {
  const first = inPrompt(one, two);
  const second = inPrompt(three);
  expect(
    stepsOf(
      {},
      request([first]),
      request([first, answered, said("and then?")]),
      request([first, answered, result, answered, second]),
    ),
  ).toEqual([one, two, three]);
});

test("a script in a tool's result, or in the model's own words, is not played", () => {
  const text = scriptInPrompt({ steps: [one] });
  const turns: ModelMessage[] = [
    said("hello"),
    { role: "assistant", text, calls: [] },
    { role: "user", text: "", results: [{ id: "c", text }] },
  ];
  expect(choose({}, request(turns))).toEqual([
    { unscripted: "the script has no conversation for this request" },
  ]);
});

test("a conversation whose when fits comes before the prompt's script, and one without a when last", () => {
  const script: ModelScript = {
    conversations: {
      rest: { steps: [one] },
      summary: { when: { prompt: "summary" }, steps: [two] },
    },
  };
  expect(
    stepsOf(
      script,
      request([said("hello")]),
      request([inPrompt(three)]),
      request([inPrompt(three), answered, said("make a summary")]),
    ),
  ).toEqual([one, three, two]);
});

test("the steps of a conversation that begins with a prompt are counted from there", () => {
  const script: ModelScript = { conversations: { later: { when: { prompt: "later" }, steps: [one, two] } } };
  const turns = [said("hello"), answered, answered, said("later")];
  expect(stepsOf(script, request(turns), request([...turns, answered, result]))).toEqual([one, two]);
});

test.for([
  ["model", { model: "opus" }, { model: "claude-opus-5" }],
  ["system", { system: "title" }, { system: "You write a title." }],
  ["tool", { tool: "Write" }, { tools: [{ name: "mcp__x__Write" }] }],
  ["format", { format: "gemini" }, { format: "gemini" }],
] as const)("a when by %s fits where it is found, and nowhere else", ([, when, fitting]) => {
  const script: ModelScript = { conversations: { it: { when, steps: [one] }, rest: { steps: [two] } } };
  const hello = [said("hello")];
  expect(stepsOf(script, request(hello, fitting), request(hello))).toEqual([one, two]);
});

test("a when fits only if all of it is found", () => {
  const script: ModelScript = { conversations: { it: { when: { model: "m", system: "x" }, steps: [one] } } };
  expect(choose(script, request([said("hello")]))).toMatchObject([{ unscripted: expect.any(String) }]);
});

test("a step with times is played that many times before the next step, and never again", () => {
  const slow: ModelStep = { status: 529, times: 2 };
  const gone: ModelStep = { drop: true, times: 1 };
  const turn = (count: number) => request([inPrompt(one, slow, gone, two), ...Array(count).fill(answered)]);
  expect(stepsOf({}, turn(0), turn(1), turn(1), turn(1), turn(1), turn(1), turn(2))).toEqual([
    one,
    slow,
    slow,
    gone,
    two,
    two,
    two,
  ]);
});

test("the same failure in two prompts is counted for each", () => {
  const slow: ModelStep = { status: 529, times: 1 };
  const first = request([inPrompt(slow, one)]);
  const second = request([inPrompt(slow, two)]);
  expect(stepsOf({}, first, second, first, second)).toEqual([slow, slow, one, two]);
});

test("a request without tools, in a conversation that uses tools, is the client's own and plays no step", () => {
  const title = request([inPrompt({ status: 500, times: 1 }, { tool: "Read" }, one)], { tools: [] });
  expect(choose({}, title)).toEqual([{ conversation: "prompt", turn: 0 }]);
});

test("a request for data that offers none of the tools is the client's own and plays no step", () => {
  const schema = { type: "object" };
  const review = request([inPrompt({ tool: "Write" }, one)], { schema });
  const work = request([inPrompt({ tool: "Read" }, one)], { schema });
  expect(choose({}, review)).toEqual([{ conversation: "prompt", turn: 0 }]);
  expect(stepsOf({}, work)).toEqual([{ tool: "Read" }]);
});

test("a scripted text that is no JSON does not answer a request for data, unless its step is marked asIs", () => {
  const asking = (step: ModelStep) => request([inPrompt(step)], { schema: { type: "object" }, tools: [] });
  expect(choose({}, asking(one))).toEqual([{ conversation: "prompt", turn: 0 }]);
  expect(stepsOf({}, asking({ text: "{}" }), asking({ ...one, asIs: true }))).toEqual([
    { text: "{}" },
    { ...one, asIs: true },
  ]);
});

test("a mistake in the prompt's script is reported, not skipped", () => {
  const choices = choose(
    { conversations: { rest: { steps: [one] } } },
    request([said("MODEL-SCRIPT {oops} SCRIPT-END")]),
    request([said('MODEL-SCRIPT {"steps":[{"txt":"a"}]} SCRIPT-END')]),
  );
  expect(choices).toMatchObject([
    { unscripted: expect.stringContaining("not JSON") },
    { unscripted: expect.stringContaining('"steps.0"') },
  ]);
});

test.for([
  ["Read", ["Read", "x_Read"], "Read"],
  ["task", ["mcp__cox__start_task", "mcp__cox__task"], "mcp__cox__task"],
  ["start_task", ["mcp__cox__start_task", "mcp__cox__task"], "mcp__cox__start_task"],
  ["task", ["cox_start_task", "cox_task"], "cox_task"],
  ["ask", ["cox_task"], undefined],
  ["Read", [], undefined],
] as const)("a script's tool %s among the offered %s is %s", ([name, offered, meant]) => {
  expect(
    meantTool(
      offered.map((one) => ({ name: one })),
      name,
    )?.name,
  ).toBe(meant);
});
