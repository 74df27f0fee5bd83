import { expect, test } from "vitest";
import { captured, playedTurn } from "../../../test/clients/played-turn.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { opencode } from "./opencode.ts";

const heard = (what: string, code = 0) =>
  playedTurn(opencode, {}, { stdout: captured(opencode, `${what}.jsonl`), how: { kind: "exited", code } });

test("a good turn of opencode: the words of its last step are the reply, and the steps are added up", async () => {
  const { outcome, signs } = await heard("work");
  expect(outcome).toMatchObject({
    ended: { kind: "replied" },
    usage: { inputTokens: 300, outputTokens: 60, usdMicros: 600 },
    session: "ses_e1c7d719effe4hcDUSGnwFFMck",
    toolUses: 2,
  });
  expect(decodeUtf8(outcome.reply)).toBe("All done.\nREADY FOR AUDIT: x");
  const actions = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
  expect(actions).toEqual(["Writing.", "editing o.txt", "running echo hi > os.txt", "READY FOR AUDIT: x"]);
});

const failures = {
  "status-401": ["AGENT_NOT_SIGNED_IN", "bad key", "opencode auth login"],
  "status-429": ["AGENT_RATE_LIMIT", "ask again in 2 s", "another agent"],
  context: ["AGENT_CONTEXT", "maximum context length", "Split the task"],
  refusal: ["AGENT_REFUSED", "content filter", "another agent"],
  length: ["AGENT_LIMIT", "cut off", "split the task"],
};

for (const [what, [code, says, advises]] of Object.entries(failures)) {
  test(`${what}: an opencode error behind the last step is ${code}, whatever the exit code`, async () => {
    for (const exit of [0, 1]) {
      const { ended } = (await heard(what, exit)).outcome;
      expect(ended).toMatchObject({ kind: "failed", code });
      expect(ended).toHaveProperty("message", expect.stringContaining(says ?? ""));
      expect(ended).toHaveProperty("message", expect.stringContaining(advises ?? ""));
    }
  });
}

test("an opencode turn that stops after a tool has failed, though the exit code is 0", async () => {
  const lines = captured(opencode, "work.jsonl").split("\n");
  for (const kept of [4, 5, 7, 8]) {
    const { outcome } = await playedTurn(opencode, {}, { stdout: `${lines.slice(0, kept).join("\n")}\n` });
    expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
  }
});

test("an auditor in opencode runs as an agent of ours that may write nothing, set as the last argument", async () => {
  const { argv, environment } = (await playedTurn(opencode, { role: "auditor" })).program;
  const { agent } = JSON.parse(environment.OPENCODE_CONFIG_CONTENT ?? "");
  expect(argv.slice(-2)).toEqual(["--agent", "cox-read-only"]);
  expect(agent["cox-read-only"].permission).toMatchObject({ edit: "deny", bash: "deny", task: "deny" });
  expect(agent["cox-read-only"].mode).toBe("primary");
});

test("opencode uses the turn's tools without asking, whatever the user's settings say, and no others", async () => {
  const server = { name: "turn", command: ["node"], environment: {} } as const;
  const { environment } = (await playedTurn(opencode, { mode: "proposal", server })).program;
  const permission = { edit: "deny", bash: "deny", webfetch: "deny", task: "deny", "turn_*": "allow" };
  expect(JSON.parse(environment.OPENCODE_CONFIG_CONTENT ?? "")).toMatchObject({
    permission,
    agent: { "cox-read-only": { permission } },
    mcp: { turn: { type: "local", command: ["node"], enabled: true } },
  });
});

test("a developer in opencode is never asked for permission, whatever the user's settings say", async () => {
  const { environment } = (await playedTurn(opencode, {})).program;
  const { permission } = JSON.parse(environment.OPENCODE_CONFIG_CONTENT ?? "");
  expect(permission).toEqual({ edit: "allow", bash: "allow" });
});
