import { expect, test } from "vitest";
import { clients } from "./programs/clients.ts";
import { signInOf } from "./sign-in.ts";

const nothing = { environment: { HOME: "/folder" }, isFile: () => false };

test("without any sign of it, a sign-in is unknown rather than denied", () => {
  for (const { name } of clients) expect(signInOf(name, nothing)).toEqual({ state: "unknown" });
  expect(signInOf("command", nothing)).toEqual({ state: "unknown" });
  expect(signInOf("toString", nothing)).toEqual({ state: "unknown" });
});

test.each([
  ["claude-code", { ANTHROPIC_API_KEY: "x" }, "ANTHROPIC_API_KEY is set"],
  ["codex", { OPENAI_API_KEY: "x" }, "OPENAI_API_KEY is set"],
  ["gemini", { GEMINI_API_KEY: "x" }, "GEMINI_API_KEY is set"],
])(
  "a key of %s in the environment shows a sign-in, and its value is not shown",
  (driver, environment, by) => {
    expect(signInOf(driver, { ...nothing, environment })).toEqual({ state: "yes", by });
    expect(signInOf(driver, { ...nothing, environment: { ANTHROPIC_API_KEY: "" } })).toEqual({
      state: "unknown",
    });
  },
);

test.each([
  ["claude-code", {}, "/folder/.claude/.credentials.json"],
  ["claude-code", { CLAUDE_CONFIG_DIR: "/etc/c" }, "/etc/c/.credentials.json"],
  ["codex", {}, "/folder/.codex/auth.json"],
  ["gemini", {}, "/folder/.gemini/oauth_creds.json"],
  ["opencode", {}, "/folder/.local/share/opencode/auth.json"],
  ["opencode", { XDG_DATA_HOME: "/data" }, "/data/opencode/auth.json"],
])("the file in which %s keeps its sign-in shows a sign-in", (driver, more, file) => {
  const environment = { HOME: "/folder", ...more };
  expect(signInOf(driver, { environment, isFile: (path) => path === file })).toMatchObject({ state: "yes" });
});
