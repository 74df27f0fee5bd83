import { spawn, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bwrapArgv } from "./bwrap-argv.ts";
import { type ConfinementWay, holdsHere } from "./confine.ts";
import { type Confined, type ConfinementWish, toldOn, withDescriptors } from "./confinement-wish.ts";
import { pause } from "./pause.ts";
import { processTable, wasStartedWith } from "./process-table.ts";
import { unshareArgv } from "./unshare-argv.ts";

let all: string;
let folder: string;

beforeAll(() => {
  all = realpathSync(mkdtempSync(join(tmpdir(), "cox-confine-")));
});

beforeEach(() => {
  folder = mkdtempSync(join(all, "one-"));
});

// Not after each: of a test that is skipped nothing comes after.
afterAll(() => rmSync(all, { recursive: true, force: true }));

test.each<[string, ConfinementWay]>([
  ["is missing", () => undefined],
  ["does not exist", () => ({ argv: ["/nowhere/unshare"] })],
  [
    "confines nothing",
    ({ argv }) => ({ argv: ["/bin/sh", "-c", 'echo held >&3; cd "$0"; exec "$@"', folder, ...argv] }),
  ],
  [
    "lets nothing be written",
    ({ argv, confinement, ...rest }) =>
      unshareArgv({ ...rest, argv, confinement: { ...confinement, writable: [] } }),
  ],
  ["says nothing", (wish) => wrapped(['exec "$@" 3>/dev/null', "sh"], unshareArgv(wish))],
  ["says that it does not hold", (wish) => wrapped(['exec "$@" 4</dev/null', "sh"], unshareArgv(wish))],
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
  beforeEach((context) => {
    if (!holdsHere(way)) context.skip(`${name} does not confine on this machine`);
  });

  test("guards the folders in the folder, and opens one deep in it", () => {
    make("a/open");
    const ended = run(way(wish("echo > a/out; echo > a/open/in; mkdir b; rmdir a/open")));
    expect(ended.told).toBe("held");
    expect([names(""), names("a"), names("a/open")]).toEqual([["a"], ["open"], ["in"]]);
  });

  test("guards and opens the same where one folder is named in another", () => {
    make("a/open/deep", "a/shut");
    const script = "for f in . a a/shut a/open a/open/deep; do echo > $f/new; done";
    const confinement = {
      readOnly: ["a/shut", "", "a", "a/open/deep"].map((path) => join(folder, path)),
      writable: ["..", "a/open/deep", "a/open"].map((path) => join(folder, path)),
    };
    expect(run(way({ ...wish(script), confinement })).told).toBe("held");
    const all = ["", "a", "a/shut", "a/open", "a/open/deep"].map(names);
    expect(all).toEqual([["a"], ["open", "shut"], [], ["deep", "new"], ["new"]]);
  });

  test.each([
    "two words ",
    "tab\there",
    "new\nline",
    "re\rturn",
    "back\\slash",
    "\\040",
    "#1",
    `"$x'`,
    "--",
    "käse",
  ])("guards and opens folders whose name is %j", (odd) => {
    make(`${odd}/${odd}`);
    const confinement = {
      readOnly: [join(folder, odd)],
      writable: [join(folder, odd, odd)],
    };
    const script = 'cd "./$ODD"; echo > out; echo > "./$ODD/in"';
    const ended = run(way({ ...wish(script), confinement }), { ODD: odd });
    expect([ended.told, names(odd), names(`${odd}/${odd}`)]).toEqual(["held", [odd], ["in"]]);
  });

  test("guards single files, also by a link to one: not written, replaced or removed", () => {
    make("a/open");
    const file = (name: string) => join(folder, name);
    for (const name of ["plain", "far", "a/open/in"]) writeFileSync(file(name), "kept");
    symlinkSync("far", file("link"));
    const confinement = { readOnly: ["plain", "link", "gone", "a"].map(file), writable: [file("a/open")] };
    const script =
      "for f in plain link far; do echo x >> $f; done; rm plain far; echo > new; mv new plain; echo x > a/open/in; :";
    const ended = run(way({ ...wish(script), confinement }));
    expect([ended.told, ended.status]).toEqual(["held", 0]);
    const read = (name: string) => readFileSync(file(name), "utf8");
    expect(["plain", "far", "a/open/in"].map(read)).toEqual(["kept", "kept", "x\n"]);
  });

  test("holds also where there is nothing to guard", () => {
    const confinement = { readOnly: [join(folder, "away")], writable: [] };
    expect(run(way({ ...wish("exit 7"), confinement }))).toMatchObject({ told: "held", status: 7 });
  });

  test("guards the root itself, or says that it does not", () => {
    make("a/open");
    const script = "echo > out; echo > a/open/in; echo > /dev/null && exit 7";
    const confinement = { ...wish(script).confinement, readOnly: ["/"] };
    const { told, status } = run(way({ ...wish(script), confinement }));
    if (told === "held") expect([status, names(""), names("a/open")]).toEqual([7, ["a"], ["in"]]);
  });

  test("ends when whoever started it is killed", async () => {
    const mark = `COX_TEST=${Math.random()}`;
    const confined = wrapped(['"$@" 3>&1; :', "sh"], way(wish("setsid sleep 1000 & sleep 1001")));
    const parent = withDescriptors(confined, ([, ...more]) =>
      spawn(confined.argv[0], confined.argv.slice(1), {
        cwd: "/",
        env: { PATH: "/usr/bin:/bin", COX_TEST: mark.slice(9) },
        stdio: ["ignore", "pipe", "ignore", "ignore", ...more],
      }),
    );
    const marked = () => processTable().filter((row) => !row.isZombie && wasStartedWith(row.pid, mark));
    await new Promise((resolve) => parent.stdout?.once("data", resolve));
    expect(marked().length).toBeGreaterThan(2);
    parent.kill("SIGKILL");
    while (marked().length > 0) await pause(5);
  });
});

describe("unshare", () => {
  beforeEach((context) => {
    if (!holdsHere(unshareArgv)) context.skip("unshare does not confine on this machine");
    make("a/open");
  });

  test("says so when a folder cannot be guarded, and the program runs", () => {
    const confined = unshareArgv(wish("exit 7"));
    rmSync(join(folder, "a"), { recursive: true });
    expect(run(confined)).toMatchObject({ told: "no", status: 7 });
  });

  test.each(["remount,bind,ro", "rbind"])("says so when one %s of many fails", (options) => {
    const confined = unshareArgv(wish("exit 7"));
    const mounts = `/nowhere /nowhere none ${options}\n${confined?.mounts}`;
    expect(run(confined && { ...confined, mounts })).toMatchObject({ told: "no", status: 7 });
    expect(run(confined)).toMatchObject({ told: "held", status: 7 });
  });

  test.each(["none", "tmpfs", "/"])("guards a folder that is itself a mount, of %s", (source) => {
    const confined = unshareArgv(wish("mkdir -p a/open; echo > a/open/in; echo > out; ls"));
    const mounted = 'mount -t tmpfs "$1" "$2"; mkdir -p "$2/a/open"; shift 2; exec "$@"';
    const around = wrapped([mounted, "sh", source, folder], confined);
    const argv = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", ...around.argv] as const;
    expect(run({ ...around, argv })).toMatchObject({ told: "held", stdout: "a\n" });
    expect(names("a/open")).toEqual([]);
  });
});

function wish(script: string): ConfinementWish {
  return {
    argv: ["/bin/sh", "-c", script],
    folder,
    environment: {},
    confinement: { readOnly: [folder], writable: [join(folder, "a/open")] },
  };
}

/** Started by a shell, by its script and name. */
function wrapped(script: readonly string[], confined: Confined | undefined): Confined {
  return { ...confined, argv: ["/bin/sh", "-c", ...script, ...(confined?.argv ?? ["/nowhere"])] };
}

function run(confined: Confined | undefined, env: Record<string, string> = {}) {
  const [program, ...args] = confined?.argv ?? ["/nowhere"];
  const ended = withDescriptors(confined ?? { argv: ["/nowhere"] }, (descriptors) =>
    spawnSync(program, args, { cwd: "/", env, stdio: ["ignore", "pipe", "ignore", ...descriptors] }),
  );
  return {
    told: ended.output[toldOn]?.toString().trim(),
    status: ended.status,
    stdout: ended.stdout.toString(),
  };
}

function make(...paths: string[]): void {
  for (const path of paths) mkdirSync(join(folder, path), { recursive: true });
}

function names(path: string): string[] {
  return readdirSync(join(folder, path)).sort();
}
