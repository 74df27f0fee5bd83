import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bwrapArgv } from "./bwrap-argv.ts";
import { type ConfinementWay, holdsHere } from "./confine.ts";
import { pause } from "./pause.ts";
import { processTable, wasStartedWith } from "./process-table.ts";
import { unshareArgv } from "./unshare-argv.ts";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-confine-")));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, ConfinementWay]>([
  ["is missing", () => undefined],
  ["does not exist", () => ["/nowhere/unshare"]],
  ["confines nothing", ({ argv }) => ["/bin/sh", "-c", 'echo held >&3; cd "$0"; exec "$@"', folder, ...argv]],
  [
    "lets nothing be written",
    ({ argv, confinement, ...rest }) =>
      unshareArgv({ ...rest, argv, confinement: { ...confinement, writable: [] } }),
  ],
  ["says nothing", (wish) => ["/bin/sh", "-c", 'exec "$@" 3>/dev/null', "sh", ...(unshareArgv(wish) ?? [])]],
])("a way that %s is found out", (_, way) => {
  expect(holdsHere(way)).toBe(false);
});

test("unshare holds wherever namespaces can be made", (context) => {
  const probe = spawnSync("unshare", [
    "--user",
    "--map-root-user",
    "--mount",
    "--pid",
    "--fork",
    "--mount-proc",
    "true",
  ]);
  if (probe.status !== 0) context.skip("this machine lets no user make namespaces");
  expect(holdsHere(unshareArgv)).toBe(true);
});

describe.each<[string, ConfinementWay]>([
  ["unshare", unshareArgv],
  ["bwrap", bwrapArgv],
])("%s", (name, way) => {
  const confinedSh = (script: string, environment: Record<string, string> = {}) =>
    way({
      argv: ["/bin/sh", "-c", script],
      folder,
      environment,
      confinement: { readOnly: [folder], writable: [join(folder, "a/open")] },
    }) ?? ["/nowhere"];

  test("guards the folders in the folder, and opens one deep in it", (context) => {
    if (!holdsHere(way)) context.skip(`${name} does not confine on this machine`);
    mkdirSync(join(folder, "a/open"), { recursive: true });
    const [program, ...args] = confinedSh("echo > a/out; echo > a/open/in; mkdir b; rmdir a/open");
    spawnSync(program, args, { cwd: "/", stdio: ["ignore", "ignore", "ignore", "pipe"] });
    expect([
      readdirSync(folder),
      readdirSync(join(folder, "a")),
      readdirSync(join(folder, "a/open")),
    ]).toEqual([["a"], ["open"], ["in"]]);
  });

  test("ends when whoever started it is killed", async (context) => {
    if (!holdsHere(way)) context.skip(`${name} does not confine on this machine`);
    const mark = `COX_TEST=${Math.random()}`;
    const parent = spawn(
      "/bin/sh",
      ["-c", '"$@" 3>&1; :', "sh", ...confinedSh("setsid sleep 1000 & sleep 1001")],
      {
        cwd: "/",
        env: { PATH: "/usr/bin:/bin", COX_TEST: mark.slice(9) },
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const marked = () => processTable().filter((row) => !row.isZombie && wasStartedWith(row.pid, mark));
    await new Promise((resolve) => parent.stdout.once("data", resolve));
    expect(marked().length).toBeGreaterThan(2);
    parent.kill("SIGKILL");
    while (marked().length > 0) await pause(5);
  });
});
