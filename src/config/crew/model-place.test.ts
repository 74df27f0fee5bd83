import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { readConfig } from "../file/read-config.ts";
import { commandsOf } from "../trust/commands.ts";
import { modelPlace } from "./model-place.ts";

test.each([
  [
    { model: "claude-opus-5" },
    { api: "anthropic", url: "https://api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
  ],
  [{ model: "gpt-6" }, { api: "openai", url: "https://api.openai.com/v1", key: "OPENAI_API_KEY" }],
  [
    { model: "claude-opus-5", url: "https://models.example.com/v1", key: "MY_KEY" },
    { api: "openai", url: "https://models.example.com/v1", key: "MY_KEY" },
  ],
  [
    { model: "x", url: "https://eu.api.anthropic.com/v1" },
    { api: "anthropic", url: "https://eu.api.anthropic.com/v1", key: "ANTHROPIC_API_KEY" },
  ],
  [
    { model: "x", url: "https://notanthropic.com/v1" },
    { api: "openai", url: "https://notanthropic.com/v1", key: "OPENAI_API_KEY" },
  ],
  // A server on this machine is sent no key unless one was named.
  [
    { model: "qwen3", url: "http://127.0.0.1:11434/v1" },
    { api: "openai", url: "http://127.0.0.1:11434/v1" },
  ],
  [
    { model: "m", url: "http://[::1]:80/v1", api: "anthropic" },
    { api: "anthropic", url: "http://[::1]:80/v1" },
  ],
  [
    { model: "m", url: "http://localhost:1/v1", key: "K" },
    { api: "openai", url: "http://localhost:1/v1", key: "K" },
  ],
] as const)("%o is at %o", (said, place) => {
  expect(modelPlace(said)).toEqual(place);
});

function reading(lines: string) {
  const text = `agents:\n  ada:\n    driver: model\n    model: m\n${lines.replace(/^/gm, "    ")}\n`;
  const { config, problems } = readConfig(text);
  return { config, agent: config.agents.get("ada"), problems };
}

test("a bare model's url may be a short name for a server on this machine", () => {
  expect(reading("url: ollama").agent).toMatchObject({ url: "http://127.0.0.1:11434/v1" });
  expect(reading("url: LMStudio").agent).toMatchObject({ url: "http://127.0.0.1:1234/v1" });
  expect(reading("url: https://a.example/v1/\napi: OpenAI\nkey: MY_KEY").agent).toMatchObject({
    url: "https://a.example/v1",
    api: "openai",
    key: "MY_KEY",
  });
});

const secret = "sk-ant-REDACTED";

test.each([
  ["api: gemini", "SCHEMA_RANGE", 5, 10],
  ["api: [openai]", "SCHEMA_RANGE", 5, 10],
  ["url: models.example.com", "CONFIG_BAD_URL", 5, 10],
  ["url: file:///etc/passwd", "CONFIG_BAD_URL", 5, 10],
  ["url: https://a.example/v1?x=1", "CONFIG_BAD_URL", 5, 10],
  [`url: https://me:${secret}@a.example/v1`, "CONFIG_BAD_URL", 5, 10],
  [`key: ${secret}`, "CONFIG_KEY_VALUE", 5, 10],
  [`key: [${secret}]`, "SCHEMA_RANGE", 5, 10],
  ["key: gsk_4kX9vTq2mN8wLr5yBz7dGh3", "CONFIG_KEY_VALUE", 5, 10],
  ["key: a b", "CONFIG_KEY_VALUE", 5, 10],
])("for a bare model, %s is refused at its place, and no key is repeated", (lines, code, line, column) => {
  const { problems } = reading(lines);
  expect(problems).toMatchObject([{ code, severity: "blocking", line, column }]);
  expect(JSON.stringify(problems)).not.toContain("4kX9vTq2mN8wLr5yBz7dGh3");
});

test("a model url with http is warned about for another machine, but not for this one", () => {
  const { problems, agent } = reading("url: http://models.example.com/v1");
  expect(problems).toMatchObject([{ code: "CONFIG_PLAIN_HTTP", severity: "warning", line: 5 }]);
  expect(agent?.url).toBe("http://models.example.com/v1");
  expect(reading("url: http://127.0.0.2:8080/v1").problems).toEqual([]);
});

test("the server and key that a repository sets for a bare model are shown before they are trusted", () => {
  const { plan } = parsePlan("# Plan\n");
  const commands = (lines: string) => commandsOf({ config: reading(lines).config, plan });
  expect(commands("url: https://a.example/v1")).toMatchObject([
    { agent: "ada", command: ["model", "https://a.example/v1"], passEnvironment: ["OPENAI_API_KEY"] },
  ]);
  expect(commands("key: GITHUB_TOKEN")).toMatchObject([
    { command: ["model", "https://api.openai.com/v1"], passEnvironment: ["GITHUB_TOKEN"] },
  ]);
  expect(commands("")).toEqual([]);
});

test("every example on the page about agents is read without a problem", () => {
  const page = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
  const [, shown = ""] = /## A bare model[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { config, problems } = readConfig(shown);
  expect(problems).toEqual([]);
  expect([...config.agents.values()].map((agent) => modelPlace(agent).api)).toEqual([
    "anthropic",
    "openai",
    "openai",
    "openai",
    "openai",
  ]);
});
