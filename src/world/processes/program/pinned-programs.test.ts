import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { nodeCommands } from "../node-commands.ts";
import { nodeProcesses } from "../node-processes.ts";
import { spawn, spawnSync } from "../spawn.ts";
import { pinnedProgram, pinPrograms } from "./pinned-programs.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cox-pinned-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["early", "late"]) mkdirSync(join(folder, name));
  path = ["early", "late"].map((name) => join(folder, name)).join(":");
});

const at = (name: string) => join(folder, name);

/** Writes a program that prints its name and leaves a file as proof that it ran. */
function write(name: string, says = name): void {
  writeFileSync(at(name), `#!/bin/sh\n: > "${folder}/ran-${says.replace("/", "-")}"\necho ${says}\n`);
  chmodSync(at(name), 0o755);
}

async function run(): Promise<string> {
  const { stdout } = await nodeCommands.run({
    argv: ["tool"],
    folder,
    environment: { PATH: path },
    bytesMax: 100,
  });
  return Buffer.from(stdout).toString();
}

const changed = (message: RegExp) => ({ code: "PROGRAM_CHANGED", message: expect.stringMatching(message) });

describe("a pinned program", () => {
  beforeEach(async () => {
    write("late/tool");
    expect(await run()).toBe("late/tool\n");
  });

  test("is started again as long as nobody touches it", async () => {
    expect(await run()).toBe("late/tool\n");
  });

  const meddling: [string, () => void, RegExp][] = [
    [
      "put before it in PATH",
      () => write("early/tool", "planted"),
      /early\/tool took the place of .*late\/tool/,
    ],
    [
      "linked to before it in PATH",
      () => [write("planted"), symlinkSync(at("planted"), at("early/tool"))],
      /early\/tool took the place/,
    ],
    ["written into it", () => write("late/tool", "planted"), /late\/tool was changed/],
    [
      "renamed over it with its own size and time",
      () => {
        write("planted", "l4te/tool");
        utimesSync(at("planted"), new Date(0), new Date(0));
        renameSync(at("planted"), at("late/tool"));
      },
      /late\/tool was changed/,
    ],
  ];
  test.each(meddling)(
    "is not run once another file is %s, and the file is named",
    async (_, meddle, message) => {
      meddle();
      await expect(run()).rejects.toMatchObject({
        ...changed(message),
        hint: expect.stringContaining("cox resume"),
      });
      for (const name of ["ran-planted", "ran-l4te-tool"]) expect(existsSync(at(name))).toBe(false);
    },
  );

  test("that was removed is named, and the next one in PATH does not take its place", async () => {
    renameSync(at("late/tool"), at("gone"));
    await expect(run()).rejects.toMatchObject(changed(/late\/tool was removed/));
  });

  test("that is a link is refused when it leads elsewhere", async () => {
    write("one");
    write("other");
    symlinkSync(at("one"), at("late/linked"));
    pinnedProgram("linked", path);
    rmSync(at("late/linked"));
    symlinkSync(at("other"), at("late/linked"));
    expect(() => pinnedProgram("linked", path)).toThrow(/late\/linked was changed/);
  });

  test("started outside a sandbox by its name is checked too; one by its path is what stands there", async () => {
    write("early/tool", "planted");
    const limits = { keepBytes: 100, bytesMax: 100, graceMs: 100 };
    const start = (name: string) =>
      nodeProcesses.start({ argv: [name], folder, environment: { PATH: path }, ...limits }).ended;
    expect((await start("tool")).how).toMatchObject({
      kind: "not-started",
      errno: "PROGRAM_CHANGED",
      message: expect.stringContaining("early/tool took the place"),
    });
    expect(existsSync(at("ran-planted"))).toBe(false);
    expect(Buffer.from((await start(at("early/tool"))).stdout).toString()).toBe("planted\n");
  });
});

test("a program that was missing when it was pinned is not run when it appears", () => {
  pinPrograms(path, ["absent"]);
  write("early/absent");
  expect(() => pinnedProgram("absent", path)).toThrow(/early\/absent appeared in PATH/);
});

test("the coordinator's own programs are pinned before their first use", () => {
  write("late/git");
  pinPrograms(path);
  write("early/git");
  expect(() => pinnedProgram("git", path)).toThrow(/early\/git took the place/);
});

test("relative folders of PATH are skipped, since they would depend on the working folder", () => {
  expect(pinnedProgram("sh", `:.:relative:${path}:/usr/bin:/bin`).path).toMatch(/^\/(usr\/)?bin\/sh$/);
});

test("a program cannot be started by its name, only by its whole path", () => {
  expect(() => spawn("sh", [])).toThrow("whole path");
  expect(() => spawnSync("sh", [])).toThrow("whole path");
});
