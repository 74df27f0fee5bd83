import { expect, test } from "vitest";
import { readConfig } from "./read-config.ts";

test("prices are read by the model's name", () => {
  const { config, problems } = readConfig(`prices:
  my-model: { input: 3, output: 15, cached: 0.3 }
  local/qwen:
    input: $0
    output: 0.25
`);
  expect(problems).toEqual([]);
  expect(config.prices).toEqual({
    "my-model": { input: 3, output: 15, cached: 0.3 },
    "local/qwen": { input: 0, output: 0.25 },
  });
});

test.each([
  ["prices: cheap", "CONFIG_BAD_PRICE", "1:9", "not a list of models"],
  ["prices:\n  m: 3", "CONFIG_BAD_PRICE", "2:6", 'the model "m" has no price'],
  ["prices:\n  m: { input: 3 }", "CONFIG_BAD_PRICE", "2:6", "no output"],
  ["prices:\n  m: { input: free, output: 1 }", "CONFIG_BAD_PRICE", "2:15", "input: free"],
  ["prices:\n  m: { input: -1, output: 1 }", "CONFIG_BAD_PRICE", "2:15", "not a number of dollars"],
  ["prices:\n  m: { input: 3, output: 99999 }", "CONFIG_BAD_PRICE", "2:26", "output: 99999"],
  ["prices:\n  m: { input: 3, output: [1] }", "CONFIG_BAD_PRICE", "2:26", "something else"],
  ["prices:\n  m: { input: 3, output: 4, cache: 1 }", "CONFIG_UNKNOWN_KEY", "2:29", '"cache" is not a key'],
  ["prices: {}\nprices: {}", "CONFIG_DUPLICATE_KEY", "2:1", '"prices" is set twice'],
])("in a table of prices, %s is reported with its place", (text, code, place, words) => {
  const { problems } = readConfig(text);
  const [problem, ...more] = problems;
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ code, message: expect.stringContaining(words) });
  expect(`${problem?.line}:${problem?.column}`).toBe(place);
  expect(problem?.hint).not.toBe("");
});
