import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { driverNames } from "../../driver/programs/clients.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import type { Files } from "../../world/files/files.ts";
import { packageRoot } from "../../world/files/package-root.ts";
import type { Programs } from "../../world/processes/program/programs.ts";
import { examine, type Patient } from "./checks.ts";

const root = mkdtempSync(join(tmpdir(), "cox-doctor-"));
afterAll(() => rmSync(root, { recursive: true }));

const healthy: Patient = {
  root,
  files: openFiles(),
  machine: {
    nodeVersion: "22.1.0",
    hasDescriptorWalk: () => true,
    canConfine: () => true,
    hasLayers: () => true,
    freeBytes: () => 1e12,
  },
  agents: agentsWith(() => "git version 2.39.5 (Apple Git-154)\n"),
};

function agentsWith(ask: Programs["ask"]): Patient["agents"] {
  const drivers = { names: driverNames, find: () => undefined, findFor: () => undefined };
  return { programs: { ask }, environment: {}, packageRoot: packageRoot(), drivers };
}

test("a healthy machine has no finding, and the folder is left as it was", () => {
  expect(wrongWith({})).toEqual([]);
  expect(readdirSync(root)).toEqual([]);
});

const machine = (part: Partial<Patient["machine"]>) => ({ machine: { ...healthy.machine, ...part } });
const failing = (call: keyof Files, code: string) => ({
  files: {
    ...openFiles(),
    [call]: () => {
      throw Object.assign(new Error(code), { code });
    },
  },
});

test.each<[string, Partial<Patient>, string, string]>([
  ["an old Node", machine({ nodeVersion: "20.18.3" }), "node", "blocks"],
  ["no git", { agents: agentsWith(() => undefined) }, "git", "advice"],
  ["an old git", { agents: agentsWith(() => "git version 2.34.1\n") }, "git", "advice"],
  ["no /proc", machine({ hasDescriptorWalk: () => false }), "path walk", "advice"],
  ["no way to confine", machine({ canConfine: () => false }), "confinement", "advice"],
  ["no layers", machine({ hasLayers: () => false }), "confinement", "advice"],
  ["no root", { root: join(root, "nowhere") }, "root", "blocks"],
  ["a folder that cannot be written", failing("makeFolder", "EACCES"), "writable", "blocks"],
  ["a disk that cannot sync", failing("sync", "EIO"), "fsync", "blocks"],
  ["no hard links", failing("link", "EPERM"), "hard links", "advice"],
  ["no program to lock with", failing("lock", "ENOSYS"), "lock", "blocks"],
  ["little space", machine({ freeBytes: () => 50_000_000 }), "space", "advice"],
  ["no space", machine({ freeBytes: () => 4096 }), "space", "blocks"],
])("the setup check finds %s and says what to do", (_what, sick, check, state) => {
  expect(wrongWith(sick)).toMatchObject([{ check, state, fix: expect.stringMatching(/./) }]);
  expect(readdirSync(root)).toEqual([]);
});

test("a file system that ignores case is reported", () => {
  const files = openFiles();
  const stat: Files["stat"] = (at, name) => files.stat(at, name.toLowerCase());
  expect(wrongWith({ files: { ...files, stat } })).toMatchObject([{ check: "case", state: "advice" }]);
});

test("a stage that was left behind is reported", () => {
  mkdirSync(join(root, ".coxswain/changesets/k3f9ab"), { recursive: true });
  expect(wrongWith({})).toMatchObject([{ check: "stages", state: "advice" }]);
  rmSync(join(root, ".coxswain"), { recursive: true });
});

function wrongWith(sick: Partial<Patient>) {
  return examine({ ...healthy, ...sick }).filter(({ state }) => state !== "healthy");
}

test("installed agent programs are named with their versions, and having none is no fault", () => {
  const told = (ask: Programs["ask"]) =>
    examine({ ...healthy, agents: agentsWith(ask) }).find(({ check }) => check === "agents");
  const ask = (program: string) => (program === "claude" ? "2.1.325 (Claude Code)\n" : undefined);
  expect(told(ask)).toMatchObject({
    state: "healthy",
    message: expect.stringContaining("Claude Code 2.1.325 (driver: claude-code, signed in: unknown)"),
  });
  expect(told(() => undefined)).toMatchObject({ state: "healthy" });
});

test("a configured agent that could not work is reported with what is missing", () => {
  const crew = mkdtempSync(join(tmpdir(), "cox-doctor-"));
  mkdirSync(join(crew, ".coxswain"));
  writeFileSync(
    join(crew, ".coxswain/config.yaml"),
    `agents:
  ada: { role: developer, driver: codex }
  tess: { profile: auditor, command: [no-such-program] }
  opus: { profile: auditor, driver: model, model: claude-opus-5 }
  home: { profile: auditor, driver: model, model: qwen, url: ollama }
`,
  );
  const ask = (program: string) => (program === "git" ? "git version 2.39.5\n" : undefined);
  const found = wrongWith({ root: crew, agents: agentsWith(ask) });
  rmSync(crew, { recursive: true });
  expect(found).toMatchObject(
    [
      { message: "agent ada (driver: codex) cannot work: codex is not there", fix: /npm install/ },
      { message: "agent tess (driver: command) cannot work: no-such-program is not there" },
      { message: "agent opus (driver: model) cannot work: ANTHROPIC_API_KEY is not set" },
    ].map(({ message, fix }) => ({
      check: "agents",
      state: "advice",
      message,
      fix: expect.stringMatching(fix ?? /cox agents/),
    })),
  );
});
