import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decodeUtf8 } from "../std/utf8.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { nodePlainFiles } from "../world/files/node-plain-files.ts";
import { nodeProcesses } from "../world/processes/node-processes.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { makeDrivers } from "./drivers.ts";
import { driverNames } from "./programs/clients.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-drivers-"));
  mkdirSync(join(folder, "desk"));
  mkdirSync(join(folder, "scratch"));
});

afterEach(() => rmSync(folder, { recursive: true }));

test("a driver is found by its own name only", () => {
  const drivers = makeDrivers(worldWith({}));
  expect(drivers.names).toEqual(driverNames);
  for (const name of drivers.names) expect(drivers.find(name)?.name).toBe(name);
  expect(drivers.find("constructor")).toBeUndefined();
});

const secrets = {
  AWS_SECRET_ACCESS_KEY: "secret",
  GITHUB_TOKEN: "secret",
  NPM_TOKEN: "secret",
  SSH_AUTH_SOCK: "/run/secret",
  NODE_OPTIONS: "--require /secret.js",
  LD_PRELOAD: "",
  GIT_DIR: "/secret",
  COX_TURN: "of another turn",
};

test("PROC-16 PROC-17 an agent sees the clean environment, what is passed on by name, and its turn", async () => {
  const seen = await environmentSeen(
    { driver: "command", command: ["env"], passEnvironment: ["NPM_TOKEN", "COX_TURN", "NOT_THERE"] },
    { ...secrets, PATH: `.:/usr/bin:/bin::${folder}`, HOME: "/somewhere" },
  );
  // Processes have a mark of their own, and there may be a shell in front of them.
  const { COX_PROCESS: _, PWD: __, SHLVL: ___, ...others } = seen;
  expect(others).toEqual({
    PATH: `/usr/bin:/bin:${folder}`,
    HOME: "/somewhere",
    TERM: "dumb",
    TMPDIR: join(folder, "scratch"),
    NPM_TOKEN: "secret",
    COX_RUN: "r1",
    COX_TASK: "users",
    COX_TURN: "t1",
    COX_ATTEMPT: "1",
    COX_AGENT: "ada",
    COX_ROLE: "developer",
    COX_FENCE: "cox-5ac1",
  });
});

test("a program that a script runs has the environment of an agent", async () => {
  const script = join(folder, "crew.yaml");
  writeFileSync(script, 'default: { default: [[{ run: [sh, -c, "env > seen"] }]] }');
  await environmentSeen({ driver: "scripted", script }, { ...secrets, PATH: "/usr/bin:/bin" });
  const seen = decodeUtf8(nodePlainFiles.read(join(folder, "desk/seen")));
  expect(seen).toContain("COX_TASK=users\n");
  expect(seen).not.toContain("secret");
});

async function environmentSeen(settings: AgentSettings, environment: Record<string, string>) {
  const turn = {
    ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
    mode: "desk" as const,
    ...{ fence: "cox-5ac1", prompt: "", readOnly: [], settings },
    desk: join(folder, "desk"),
    scratch: join(folder, "scratch"),
  };
  const outcome = await makeDrivers(worldWith(environment)).find(settings.driver)?.start(turn).outcome;
  expect(outcome?.ended).toEqual({ kind: "replied" });
  const lines = decodeUtf8(outcome?.reply ?? new Uint8Array()).split("\n");
  return Object.fromEntries(
    lines.filter((line) => line !== "").map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
}

function worldWith(environment: Record<string, string>) {
  const clock = { after: () => () => {}, now: () => 0 };
  const files = { files: nodePlainFiles, deskFiles: openFiles() };
  return { processes: nodeProcesses, ...files, fetch, clock, environment };
}
