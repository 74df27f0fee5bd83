import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { captured, playedTurn } from "../../../test/clients/played-turn.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { nodePlainFiles } from "../../world/files/node-plain-files.ts";
import { nodeProcesses } from "../../world/processes/node-processes.ts";
import { agentEnvironment } from "../agent-environment.ts";
import { driverContract } from "../driver.contract.ts";
import type { AgentClient } from "./agent-client.ts";
import { claudeCode } from "./claude-code.ts";
import { clientDriver } from "./client-driver.ts";
import { clients } from "./clients.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

/** How each client says something, and how it ends its turn. */
const speech: Readonly<Record<string, { readonly says: string; readonly ends: string }>> = {
  "claude-code": {
    says: `({ type: "assistant", message: { content: [{ type: "text", text }] } })`,
    ends: `({ type: "result", subtype: "success", is_error: false, result: last })`,
  },
  codex: {
    says: `({ type: "item.completed", item: { type: "agent_message", text } })`,
    ends: `({ type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } })`,
  },
  gemini: {
    says: `({ type: "message", role: "assistant", content: text, delta: true })`,
    ends: `({ type: "result", status: "success", stats: {} })`,
  },
  opencode: {
    says: `({ type: "text", part: { text } })`,
    ends: `({ type: "step_finish", part: { reason: "stop", tokens: {} } })`,
  },
};

/** Performs steps and reports them as a client's events; like every client it reads its stdin first. */
const player = ({ says, ends }: { says: string; ends: string }) => `
  import { mkdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
  import { dirname } from "node:path";
  readFileSync(0);
  let last = "";
  const says = (text) => ${says};
  const filled = (text) => text.replace(/\\$(COX_[A-Z]+)/g, (_, name) => process.env[name]);
  const print = (text) => { for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(1, bytes)); };
  for (const deed of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
    if (deed.say !== undefined) {
      last = filled(deed.say).replace(/\\n?$/, "\\n");
      print(JSON.stringify(says(last)) + "\\n");
    }
    if (deed.write) {
      mkdirSync(dirname(deed.write.path), { recursive: true });
      writeFileSync(deed.write.path, filled(deed.write.content));
    }
    if (deed.flood) for (let left = deed.flood; left > 0; left -= 65536) print("~".repeat(1023).concat("\\n").repeat(64));
    if (deed.hang) await new Promise(() => setInterval(() => {}, 1000));
    if (deed.exit !== undefined) process.exit(deed.exit);
    if (deed.crash) process.kill(process.pid, deed.crash);
    if (deed.crash) await new Promise(() => setInterval(() => {}, 1000));
  }
  print(JSON.stringify(${ends}) + "\\n");
`;

for (const client of clients) {
  driverContract(
    client.name,
    () => {
      const folder = mkdtempSync(join(tmpdir(), "cox-client-"));
      const program = join(folder, "player.mjs");
      writeFileSync(program, player(speech[client.name] ?? { says: "", ends: "" }));
      let agents = 0;
      return {
        driver: clientDriver(client, {
          now: () => Date.now(),
          files: nodePlainFiles,
          processes: nodeProcesses,
          graceMs: 300,
          environmentOf: (turn, variables) => agentEnvironment(turn, { PATH: "/usr/bin:/bin" }, variables),
        }),
        folder,
        agent(deeds) {
          agents += 1;
          const file = join(folder, `deeds-${agents}.json`);
          writeFileSync(file, JSON.stringify(deeds));
          return { driver: client.name, command: [process.execPath, program, file] };
        },
        end: () => rmSync(folder, { recursive: true }),
      };
    },
    { speaksInEvents: true },
  );
}

for (const client of clients) {
  describe(client.name, () => {
    test("gets its prompt on stdin and not as an argument, and is asked to reply as events", async () => {
      const { program } = await playedTurn(client, { prompt: "Please do it." });
      expect(new TextDecoder().decode(program.input)).toBe("Please do it.");
      expect(program.argv.join(" ")).not.toContain("Please");
      expect(program.argv.join(" ")).toContain("json");
    });

    test("is not asked to enforce the form of the reply, which is passed on as it is", async () => {
      const { program } = await playedTurn(client, {});
      expect(program.argv.join(" ")).not.toContain("schema");
      const { says = "", ends = "" } = speech[client.name] ?? {};
      const spoken = new Function("text", "last", `return [${says}, ${ends}]`)("not json", "not json");
      const stdout = `${spoken.map((event: unknown) => JSON.stringify(event)).join("\n")}\n`;
      const { outcome } = await playedTurn(client, {}, { stdout });
      expect(outcome.ended).toEqual({ kind: "replied" });
      expect(new TextDecoder().decode(outcome.reply)).toBe("not json");
    });

    test("gets a prompt of a megabyte outside its arguments, and a folder of the turn's own for temporary files", async () => {
      const prompt = "x".repeat(1_000_000);
      const { program } = await playedTurn(client, { prompt });
      expect(program.input).toHaveLength(1_000_000);
      expect(Math.max(...program.argv.map(({ length }) => length))).toBeLessThan(128 * 1024);
      expect(program.environment.TMPDIR).toBe("/scratch");
    });

    test("has the user's arguments after ours, but as an auditor before those that forbid writing", async () => {
      const settings = { driver: client.name, model: "m1", args: ["--mine", "x"] };
      const { program } = await playedTurn(client, { settings });
      expect(program.argv[0]).toBe(client.program);
      expect(program.argv.slice(-2)).toEqual(["--mine", "x"]);
      expect(program.argv).toContain("m1");
      const judging = await playedTurn(client, { settings, role: "auditor" });
      expect(judging.program.argv).not.toEqual(program.argv);
    });

    test("as a developer may write to its desk, as an auditor only to its scratch folder, and as both to its own state", async () => {
      const developer = await playedTurn(client, {});
      const home = client.home(developer.program.environment, "/desk");
      const kept = [...home.keptFolders, ...home.keptFiles];
      const ofProgram = { thrownAway: home.obeyed, copiedWithoutLayers: home.written };
      expect(developer.program.confinement).toEqual({
        readOnly: ["/repository"],
        writable: [...kept, developer.scratch, "/desk"],
        ...ofProgram,
      });
      const auditor = await playedTurn(client, { role: "auditor" });
      expect(auditor.program.confinement).toEqual({
        readOnly: ["/repository", "/desk"],
        writable: [...kept, auditor.scratch],
        ...ofProgram,
      });
      expect(home.obeyed.filter((path) => kept.includes(path))).toEqual([]);
    });

    test("is confined for a proposal as for an audit", async () => {
      const proposing = await playedTurn(client, { mode: "proposal" });
      const judging = await playedTurn(client, { role: "auditor" });
      expect(proposing.program.argv).toEqual(judging.program.argv);
      expect(proposing.program.confinement).toEqual(judging.program.confinement);
      expect(proposing.program.environment.OPENCODE_CONFIG_CONTENT).toBe(
        judging.program.environment.OPENCODE_CONFIG_CONTENT,
      );
    });

    test("resumes a conversation by its name, and only this turn of it is counted", async () => {
      const stdout = captured(client, "resumed.jsonl");
      const first = client.name === "codex" ? "~100~20" : "";
      const [, id = ""] = /"(?:session_?id|thread_id)":"([^"]+)"/i.exec(stdout) ?? [];
      const { program, outcome } = await playedTurn(client, { resume: `${id}${first}` }, { stdout });
      expect(program.argv).toContain(id);
      expect(outcome.ended).toEqual({ kind: "replied" });
      expect(outcome.usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
      expect(outcome.session?.split("~")[0]).toBe(id);
    });

    test("fails under a code of its own if it no longer knows the conversation", async () => {
      const lost = client.name === "claude-code" ? captured(client, "session-lost.jsonl") : "";
      const play = {
        stdout: lost,
        stderr: captured(client, "session-lost.stderr.txt"),
        how: { kind: "exited", code: 1 },
      } as const;
      const { outcome } = await playedTurn(client, { resume: "11111111" }, play);
      expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_SESSION_LOST" });
      const unasked = await playedTurn(client, {}, play);
      expect(unasked.outcome.ended).not.toMatchObject({ code: "AGENT_SESSION_LOST" });
    });

    test("is offered the turn server, and the user's files stay as they are", async () => {
      const folder = mkdtempSync(join(tmpdir(), "cox-client-"));
      try {
        const home = join(folder, "home");
        for (const [path, text] of Object.entries(homeFiles))
          nodePlainFiles.write(join(home, path), encodeUtf8(text));
        const before = snapshot(home);
        const scratch = join(folder, "scratch");
        nodePlainFiles.makeFolder(scratch);
        const play = { ours: { HOME: home, PATH: "/bin" } };
        const { program } = await playedTurn(client, { server, scratch }, play);
        const told = JSON.stringify([program.argv, program.environment, snapshot(scratch)]);
        for (const word of ["/opt/cox.js", "turn-server", "COX_REPLY_FILE"]) expect(told).toContain(word);
        expect(snapshot(home)).toEqual(before);
        const without = await playedTurn(client, { scratch }, play);
        expect(JSON.stringify([without.program.argv, without.program.environment])).not.toContain(
          "turn-server",
        );
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    test("gets its own variables and the proxy settings, and no others", async () => {
      const own = client.variables.filter((name) => !name.startsWith("!"));
      const named = own.map((name) => name.replace("*", "ANY"));
      const ours = Object.fromEntries([...named, "GITHUB_TOKEN", "SSH_AUTH_SOCK"].map((name) => [name, "x"]));
      const { program } = await playedTurn(client, {}, { ours });
      const { environment } = program;
      for (const name of named) expect(Object.keys(environment)).toContain(name);
      expect(environment).not.toHaveProperty("GITHUB_TOKEN");
      expect(environment).not.toHaveProperty("SSH_AUTH_SOCK");
      expect(environment.COX_TASK).toBe("users");
    });

    test("is reported with how to get it if it is missing", async () => {
      const outcome = await startedIn({ command: [`no-such-${client.program}`] });
      expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_NOT_INSTALLED" });
      expect(outcome.ended).toHaveProperty("message", expect.stringContaining(client.install));
    });

    test("does not succeed by exit code 0 without the event that ends a turn", async () => {
      const { outcome } = await playedTurn(client, {}, { stdout: '{"type":"something-new"}\nplain words\n' });
      expect(outcome.ended).toMatchObject({ kind: "failed", code: "AGENT_NO_RESULT" });
      expect(outcome.ended).toHaveProperty("message", expect.stringContaining("plain words"));
    });

    test("may send events of any shape", async () => {
      const types = [
        "system",
        "assistant",
        "result",
        "error",
        "text",
        "tool_use",
        "item.completed",
        "message",
      ];
      const values = [
        null,
        1,
        "x",
        [],
        {},
        [null],
        { content: [null, 1] },
        { content: 1, state: 1, part: 1 },
      ];
      const fields = [
        "message",
        "part",
        "item",
        "error",
        "stats",
        "usage",
        "modelUsage",
        "content",
        "result",
      ];
      const lines = types.flatMap((type) =>
        values.map((value) =>
          JSON.stringify({ type, ...Object.fromEntries(fields.map((name) => [name, value])) }),
        ),
      );
      const { outcome } = await playedTurn(client, {}, { stdout: `${lines.join("\n")}\n{"type":\n[]\n` });
      expect(outcome.ended.kind).toMatch(/failed|replied/);
    });

    async function startedIn({ command }: { readonly command: readonly string[] }) {
      const folder = mkdtempSync(join(tmpdir(), "cox-client-"));
      try {
        const driver = clientDriver(client, {
          now: () => Date.now(),
          files: nodePlainFiles,
          processes: nodeProcesses,
          graceMs: 300,
          environmentOf: (turn) => agentEnvironment(turn, { PATH: "/usr/bin:/bin" }),
        });
        const places = { desk: folder, scratch: folder, readOnly: [] };
        const { turn } = await playedTurn(client, {});
        return await driver.start({ ...turn, ...places, settings: { driver: client.name, command } }).outcome;
      } finally {
        rmSync(folder, { recursive: true });
        expect(existsSync(folder)).toBe(false);
      }
    }
  });
}

const server = {
  name: "turn",
  command: ["/usr/bin/node", "/opt/cox.js", "turn-server"],
  environment: { COX_REPLY_FILE: "/scratch/cox-reply.jsonl", COX_RULES: '{"writes":["a \\"b\\""]}' },
} as const;

const homeFiles = {
  ".gemini/settings.json": "{}",
  ".gemini/oauth_creds.json": "secret",
  ".gemini/extensions/theirs/gemini-extension.json": "{}",
  ".codex/config.toml": "",
};

/** Files by path with their contents; empty folders are left out. */
function snapshot(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = paths.filter((path) => statSync(join(folder, path)).isFile());
  return Object.fromEntries(files.sort().map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

test("every agent program has its captured streams", () => {
  for (const { name } of clients)
    expect(
      readFileSync(new URL(`../../../test/clients/captured/${name}/work.jsonl`, import.meta.url), "utf8"),
    ).toContain("READY");
});

test("usage is reported by model: as the program names it, as configured, or as the program's default", async () => {
  const modelsOf = async (client: AgentClient, model?: string) => {
    const settings = { driver: client.name, ...(model !== undefined && { model }) };
    const { outcome } = await playedTurn(client, { settings }, { stdout: captured(client, "work.jsonl") });
    return outcome.usage?.models;
  };
  const used = { inputTokens: 300, outputTokens: 60, cachedInputTokens: 0 };
  expect(await modelsOf(claudeCode, "opus")).toEqual([{ model: "claude-opus-5-5", ...used }]);
  expect(await modelsOf(gemini)).toEqual([{ model: "gemini-2.5-flash", ...used }]);
  expect(await modelsOf(codex, "gpt-5.5")).toEqual([{ model: "gpt-5.5", ...used }]);
  expect(await modelsOf(codex)).toEqual([{ model: "the default model of Codex", ...used }]);
  expect(await modelsOf(opencode, "scripted/large")).toEqual([{ model: "scripted/large", ...used }]);
});
