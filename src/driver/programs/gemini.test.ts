import { expect, test } from "vitest";
import { captured, playedTurn } from "../../../test/clients/played-turn.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { gemini } from "./gemini.ts";

test("a good turn of Gemini: the pieces since its last tool are the reply", async () => {
  const { outcome, signs } = await playedTurn(gemini, {}, { stdout: captured(gemini, "work.jsonl") });
  expect(outcome).toMatchObject({
    ended: { kind: "replied" },
    usage: { inputTokens: 300, outputTokens: 60 },
    session: "7d7754ad-e954-4bbf-bf1b-c1a5f43943d1",
    lastLine: "READY FOR AUDIT: x",
    toolUses: 2,
  });
  expect(decodeUtf8(outcome.reply)).toBe("All done.\nREADY FOR AUDIT: x");
  const actions = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
  expect(actions).toEqual([
    ...["Writing.", "editing g.txt", "running echo hi > gs.txt", "All done.", "READY FOR AUDIT: x"],
  ]);
});

const failures = {
  "status-400": ["AGENT_API", '"bad thing"', "Try again"],
  "status-401": ["AGENT_NOT_SIGNED_IN", "API key not valid", "GEMINI_API_KEY"],
  context: ["AGENT_CONTEXT", "input token count", "Split the task"],
};

for (const [what, [code, says, advises]] of Object.entries(failures)) {
  test(`${what}: the Gemini result says that it is ${code}, and no exit code hides it`, async () => {
    const stdout = captured(gemini, `${what}.jsonl`);
    // 400 modulo 256 is 144, which looks like a signal if there is a shell in between.
    for (const how of [
      { kind: "exited", code: 144 },
      { kind: "signalled", signal: "SIGSTKFLT" },
    ] as const) {
      const { ended } = (await playedTurn(gemini, {}, { stdout, how })).outcome;
      expect(ended).toMatchObject({ kind: "failed", code });
      expect(ended).toHaveProperty("message", expect.stringContaining(says ?? ""));
      expect(ended).toHaveProperty("message", expect.stringContaining(advises ?? ""));
    }
  });
}

test("a limit that Gemini retries for minutes is reported after three attempts, and Gemini is ended", async () => {
  const play = {
    stdout: captured(gemini, "status-429.jsonl"),
    stderr: captured(gemini, "status-429.stderr.txt"),
    how: { kind: "cancelled" },
  } as const;
  const { outcome, cancels } = await playedTurn(gemini, {}, play);
  expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_RATE_LIMIT" });
  expect(outcome.ended).toHaveProperty("message", expect.stringContaining("ask again in 2 s"));
  expect(cancels()).toBeGreaterThan(0);
  const patient = { ...play, stderr: play.stderr.split("Attempt 3")[0] ?? "" };
  const early = await playedTurn(gemini, {}, patient);
  expect(early.outcome.ended).toEqual({ kind: "cancelled" });
  expect(early.cancels()).toBe(0);
});

test("an interrupted Gemini turn ends with exit code 0 and without a result, and is no success", async () => {
  const lines = captured(gemini, "work.jsonl").split("\n").slice(0, -2);
  const { outcome } = await playedTurn(gemini, {}, { stdout: `${lines.join("\n")}\n` });
  expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
  expect(decodeUtf8(outcome.reply)).toContain("Writing.");
});

test("Gemini without a sign-in is recognised, though it says so on stderr alone", async () => {
  const stderr = "Please set an Auth method in your .gemini/settings.json or specify GEMINI_API_KEY\n";
  const { outcome } = await playedTurn(gemini, {}, { stderr, how: { kind: "exited", code: 41 } });
  expect(outcome.ended).toMatchObject({ code: "AGENT_NOT_SIGNED_IN" });
});

test("Gemini's own limit of turns, exit code 53, is reported as a limit", async () => {
  const error = { type: "FatalTurnLimitedError", message: "Reached max session turns for this session." };
  const stdout = `${JSON.stringify({ type: "result", status: "error", error, stats: {} })}\n`;
  const { ended } = (await playedTurn(gemini, {}, { stdout, how: { kind: "exited", code: 53 } })).outcome;
  expect(ended).toMatchObject({ kind: "failed", code: "AGENT_LIMIT" });
});

test("a conversation that Gemini does not know is recognised by exit code 42 and a word on stderr", async () => {
  const play = {
    stderr: captured(gemini, "session-lost.stderr.txt"),
    how: { kind: "exited", code: 42 },
  } as const;
  const { ended } = (await playedTurn(gemini, { resume: "11111111" }, play)).outcome;
  expect(ended).toMatchObject({ kind: "failed", code: "AGENT_SESSION_LOST" });
});

test("Gemini is told to write and to trust the desk for a developer, but never for an auditor, whatever the user adds", async () => {
  const settings = { driver: "gemini", args: ["--approval-mode", "yolo"] };
  const developer = (await playedTurn(gemini, {})).program;
  expect(developer.argv[developer.argv.indexOf("--approval-mode") + 1]).toBe("yolo");
  expect(developer.environment.GEMINI_CLI_TRUST_WORKSPACE).toBe("true");
  const { argv } = (await playedTurn(gemini, { role: "auditor", settings })).program;
  expect(argv.slice(-2)).toEqual(["--approval-mode", "plan"]);
});

test("Gemini is asked for the user's model by name, so that no router chooses one", async () => {
  const settings = { driver: "gemini", model: "gemini-2.5-flash" };
  const { argv } = (await playedTurn(gemini, { settings })).program;
  expect(argv[argv.indexOf("--model") + 1]).toBe("gemini-2.5-flash");
});
