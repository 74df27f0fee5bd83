import { expect, test } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { UsageReports, withoutUsageReports } from "./usage-reports.ts";

function reported(printed: string, { model, piece = 7 }: { model?: string; piece?: number } = {}) {
  const reports = new UsageReports(model);
  const bytes = encodeUtf8(printed);
  for (let at = 0; at < bytes.length; at += piece) reports.hear(bytes.subarray(at, at + piece));
  reports.end();
  return { usage: reports.usage, problems: reports.problems };
}

test("an agent without a usage report has no usage, and its words are not read as one", () => {
  const words = 'see COX USAGE: {"usd":1}\n  COX USAGE: {"usd":1}\ncox usage: {"usd":1}\n';
  expect(reported(words)).toEqual({ usage: undefined, problems: [] });
  expect(decodeUtf8(withoutUsageReports(encodeUtf8(words)))).toBe(words);
});

test("several usage reports add up, and none of them is part of the reply", () => {
  const printed =
    'COX USAGE: {"input_tokens":100,"output_tokens":20,"usd":0.01}\nreply ü\nCOX USAGE: {"input_tokens":1,"output_tokens":2,"usd":0.005}\r\nend\nCOX USAGE:{"usd":0}';
  expect(reported(printed)).toEqual({
    usage: { inputTokens: 101, outputTokens: 22, usdMicros: 15_000 },
    problems: [],
  });
  expect(decodeUtf8(withoutUsageReports(encodeUtf8(printed)))).toBe("reply ü\nend\n");
});

test("reported tokens without a cost are those of the agent's model; without a model they have no price", () => {
  const printed =
    'COX USAGE: {"input_tokens":5,"output_tokens":6}\nCOX USAGE: {"input_tokens":1,"output_tokens":1,"usd":1}\n';
  const sum = { inputTokens: 6, outputTokens: 7, usdMicros: 1_000_000 };
  expect(reported(printed, { model: "m" }).usage).toEqual({
    ...sum,
    additional: [{ model: "m", inputTokens: 5, outputTokens: 6 }],
  });
  expect(reported(printed).usage).toEqual({ ...sum, isPartial: true });
});

test.each([
  ["no JSON", "lots"],
  ["no object", "[1]"],
  ["nothing said", "{}"],
  ["half of the tokens", '{"input_tokens":3}'],
  ["negative money", '{"usd":-1}'],
  ["NaN", '{"usd":NaN}'],
  ["infinite money", '{"usd":1e999}'],
  ["huge money", '{"usd":1e9}'],
  ["money in words", '{"usd":"0.01"}'],
  ["no money", '{"usd":null}'],
  ["negative tokens", '{"input_tokens":-1,"output_tokens":1}'],
  ["broken tokens", '{"input_tokens":1.5,"output_tokens":1}'],
  ["huge tokens", '{"input_tokens":1e300,"output_tokens":1,"usd":1}'],
  ["an endless line", `{"usd":1,"note":"${"x".repeat(10_000)}"}`],
])("a usage report with %s is refused, and the rest counts as partial", (_, json) => {
  const { usage, problems } = reported(`COX USAGE: ${json}\nCOX USAGE: {"usd":0.25}\n`, { piece: 1000 });
  expect(usage).toMatchObject({ usdMicros: 250_000, isPartial: true });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/COX USAGE/);
});

test("a turn whose only usage report cannot be read has an unknown cost, not none", () => {
  const { usage } = reported("COX USAGE: {usd: 0.01}\n");
  expect(usage).toMatchObject({ isPartial: true });
  expect(usage).not.toHaveProperty("usdMicros");
});

test("of a flood of bad usage reports only the first ones are named", () => {
  expect(reported("COX USAGE: x\n".repeat(1000), { piece: 100_000 }).problems).toHaveLength(5);
});
