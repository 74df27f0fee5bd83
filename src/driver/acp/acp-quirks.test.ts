import { expect, test } from "vitest";
import { end, playedTurn, usage } from "../../../test/acp/played-turn.ts";
import { acpAgents } from "../agent-settings.ts";
import { acpQuirks, quirksOf } from "./acp-quirks.ts";

test("every ACP agent that a configuration can name has its quirks", () => {
  expect(acpQuirks.map(({ name }) => name)).toEqual(acpAgents);
  for (const name of acpAgents) expect(quirksOf({ acp: name }).name).toBe(name);
});

test.each([
  [["gemini", "--acp"], "gemini"],
  [["npx", "-y", "@agentclientprotocol/codex-acp@2.6.0"], "codex"],
  [["/opt/node", "/x/node_modules/.bin/claude-agent-acp"], "claude"],
  [["/usr/bin/opencode", "acp"], "opencode"],
  [["pi-acp"], "pi"],
  [["goose", "acp"], ""],
  [["geminix"], ""],
])("the ACP agent is guessed from the command %j", (command, name) => {
  expect(quirksOf({ command }).name).toBe(name);
});

test("each ACP agent that audits is kept from writing in its own way", async () => {
  const played = async (acp: string, role: string) => {
    const deeds = [{ say: "$COX_ROLE" }, end({ usage })];
    const manner = { session: { modes: { currentModeId: "a", availableModes: [] } } };
    return await playedTurn({ deeds, manner }, { settings: { acp }, request: { role } });
  };
  const claude = (await played("claude", "auditor")).heard("session/new");
  expect(claude).toMatchObject({
    _meta: { claudeCode: { options: { tools: ["Read", "Grep", "Glob"], settingSources: ["user"] } } },
  });
  expect(JSON.stringify((await played("claude", "developer")).heard("session/new"))).not.toContain("Grep");
  expect((await played("gemini", "auditor")).heard("session/set_mode")).toMatchObject({ modeId: "plan" });
  expect((await played("gemini", "developer")).heard("session/set_mode")).toBeUndefined();
  expect((await played("opencode", "auditor")).heard("session/set_mode")).toMatchObject({
    modeId: "cox-read-only",
  });
  expect(quirksOf({ acp: "codex" }).readOnly.environment).toEqual({ INITIAL_AGENT_MODE: "read-only" });
});

test("an ACP agent gets its own environment variables and no others", async () => {
  const ours = {
    PATH: "/usr/bin:/bin",
    GITHUB_TOKEN: "x",
    OPENAI_API_KEY: "x",
    INITIAL_AGENT_MODE: "agent",
  };
  const deeds = [end({ usage })];
  const codex = await playedTurn({ deeds }, { settings: { acp: "codex" }, ours });
  expect(codex.lines("environment")).toMatchObject([
    { OPENAI_API_KEY: "x", INITIAL_AGENT_MODE: "workspace-write", COX_TASK: "users" },
  ]);
  expect(codex.lines("environment")[0]).not.toHaveProperty("GITHUB_TOKEN");
  const other = await playedTurn({ deeds }, { ours });
  for (const name of ["OPENAI_API_KEY", "INITIAL_AGENT_MODE", "GITHUB_TOKEN"])
    expect(other.lines("environment")[0]).not.toHaveProperty(name);
});

test("an ACP developer may write to its desk, an auditor only to its scratch folder", async ({ skip }) => {
  const write = { write: { path: "a.txt", content: "mine" } };
  expect((await playedTurn({ deeds: [write] })).ended).toEqual({ kind: "replied" });
  const judging = await playedTurn({ deeds: [write, { say: "written" }] }, { request: { role: "auditor" } });
  if (judging.ranUnconfined) skip("this machine lets no user confine a program");
  expect(judging.reply).toBe("");
  expect(judging.ended).toMatchObject({ kind: "failed", message: expect.stringContaining("EROFS") });
});
