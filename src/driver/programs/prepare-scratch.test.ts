import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodePlainFiles } from "../../world/files/node-plain-files.ts";
import { nodeProcesses } from "../../world/processes/node-processes.ts";
import { agentEnvironment } from "../agent-environment.ts";
import { clientDriver } from "./client-driver.ts";
import { gemini } from "./gemini.ts";

/** A program that uses its home like the Gemini CLI, and then performs the given steps. */
const standIn = (deeds: string) => `
  import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
  readFileSync(0);
  process.chdir(process.env.GEMINI_CLI_HOME + "/.gemini");
  const replace = (name, text) => (writeFileSync(name + ".1.tmp", text), renameSync(name + ".1.tmp", name));
  ${deeds}
  console.log(JSON.stringify({ type: "result", status: "success", stats: {} }));
`;

const server = { name: "turn", command: ["node"], environment: {} } as const;

interface Played {
  readonly deeds: string;
  readonly home?: Record<string, string>;
  /** The program itself changes the user's home, as other programs may do meanwhile. */
  readonly isOpen?: true;
}

async function played({ deeds, home = {}, isOpen }: Played) {
  const folder = mkdtempSync(join(tmpdir(), "cox-furnish-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [user, scratch, program] = ["home", "scratch", "program.mjs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(join(user, ".gemini"), { recursive: true });
  mkdirSync(scratch);
  writeFileSync(program, standIn(deeds.replaceAll("$USER", join(user, ".gemini"))));
  for (const [name, text] of Object.entries(home)) writeFileSync(join(user, ".gemini", name), text);
  const records: string[] = [];
  const driver = clientDriver(gemini, {
    ...{ processes: nodeProcesses, files: nodePlainFiles, graceMs: 300, now: () => Date.now() },
    environmentOf: (turn, variables) =>
      agentEnvironment(turn, { PATH: "/usr/bin:/bin", HOME: user }, variables),
  });
  const about = { turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" };
  const turn = { ...about, mode: "desk", fence: "f", prompt: "Go.", readOnly: [], desk: folder } as const;
  const settings = { driver: "gemini", command: [process.execPath, program] };
  const { outcome } = driver.start(
    { ...turn, scratch, server, settings, writable: isOpen ? [user] : [] },
    { onRecord: ({ text }) => records.push(text) },
  );
  const { ended } = await outcome;
  const read = (name: string) => readFileSync(join(user, ".gemini", name), "utf8");
  return { ended, read, names: () => readdirSync(join(user, ".gemini")).sort(), records };
}

test("a program's new sign-in, conversations and account names reach the user's home: written in place, renamed, or new", async () => {
  const { ended, read, names } = await played({
    home: { "oauth_creds.json": "old", "projects.json": "old", "settings.json": "{}" },
    deeds: `
      writeFileSync("oauth_creds.json", "refreshed in place");
      replace("projects.json", "replaced");
      writeFileSync("google_accounts.json", "new", { mode: 0o600 });
      writeFileSync("tmp/session.json", "said");
    `,
  });
  expect(ended).toEqual({ kind: "replied" });
  expect(read("oauth_creds.json")).toBe("refreshed in place");
  expect(read("projects.json")).toBe("replaced");
  expect(read("google_accounts.json")).toBe("new");
  expect(read("tmp/session.json")).toBe("said");
  expect(names()).not.toContain("extensions");
});

test("credentials that are renamed over the link to the user's reach the user's home, also from a turn that failed", async () => {
  const { ended, read } = await played({
    home: { "oauth_creds.json": "old" },
    deeds: `replace("oauth_creds.json", "refreshed"); process.exit(1);`,
  });
  expect(ended).toMatchObject({ kind: "failed" });
  expect(read("oauth_creds.json")).toBe("refreshed");
});

test("settings, commands, rules, unfinished files and links of an agent program do not reach the user's home", async () => {
  const { read, names } = await played({
    home: { "settings.json": "{}" },
    deeds: `
      replace("settings.json", '{"theirs":false}');
      mkdirSync("policies"), writeFileSync("policies/mine.toml", "rule");
      mkdirSync("commands"), writeFileSync("commands/evil.toml", "prompt");
      writeFileSync("projects.json.5.tmp", "half");
      mkdirSync("projects.json.lock");
      symlinkSync("/etc/hostname", "name");
    `,
  });
  expect(read("settings.json")).toBe("{}");
  expect(names()).toEqual(["history", "settings.json", "tmp"]);
});

test("files that the user or another turn changed meanwhile are not overwritten by the program's", async () => {
  const { read } = await played({
    isOpen: true,
    home: { "projects.json": "old" },
    deeds: `
      replace("projects.json", "of this turn");
      writeFileSync("google_accounts.json", "of this turn");
      writeFileSync("$USER/projects.json", "of another turn");
      writeFileSync("$USER/google_accounts.json", "of another turn");
    `,
  });
  expect([read("projects.json"), read("google_accounts.json")]).toEqual([
    "of another turn",
    "of another turn",
  ]);
});

test("a program's file that cannot be brought to the user's home is named in the transcript, and does not fail the turn", async () => {
  const { ended, records } = await played({
    isOpen: true,
    deeds: `writeFileSync("google_accounts.json", "new"); renameSync("$USER", "$USER.away");`,
  });
  expect(ended).toEqual({ kind: "replied" });
  expect(records.join("\n")).toContain("google_accounts.json is not as the agent left it (ENOENT)");
});
