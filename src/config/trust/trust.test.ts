import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFiles } from "../../world/files/choose-files.ts";
import type { Files } from "../../world/files/files.ts";
import { sha256 } from "../../world/files/hash.ts";
import { stateFolder } from "../state-folder.ts";
import { Trust } from "./trust.ts";

const root = "/home/me/api";
const digest = sha256("npm test");
const approval = { plan: sha256("plan"), config: sha256("config"), base: "c0ffee" };

test("a trusted command is known to the next process, for that repository and nothing else", async () => {
  const path = place();
  const trust = open(path);
  expect(trust.isKnown({ root, digest })).toBe(false);
  await trust.remember({ root, digests: [digest] });
  expect(trust.isKnown({ root, digest })).toBe(true);
  const later = open(path);
  expect(later.isKnown({ root, digest })).toBe(true);
  expect(later.isKnown({ root: "/home/me/other", digest })).toBe(false);
  expect(later.isKnown({ root, digest: sha256("npm test; evil") })).toBe(false);
  expect(later.problems).toEqual([]);
});

test("an approval holds for one plan, one configuration and one commit", async () => {
  const path = place();
  await open(path).approve({ root, approval });
  const trust = open(path);
  expect(trust.isApproved({ root, approval })).toBe(true);
  for (const part of ["plan", "config", "base"] as const) {
    expect(trust.isApproved({ root, approval: { ...approval, [part]: sha256("other") } })).toBe(false);
  }
  expect(trust.isApproved({ root: "/elsewhere", approval })).toBe(false);
  expect(trust.isKnown({ root, digest })).toBe(false);
});

test("only the user can read the file of trusted commands, and reading it creates nothing", async () => {
  const path = place();
  open(path);
  expect(existsSync(path)).toBe(false);
  await open(path).remember({ root, digests: [digest] });
  expect(statSync(join(path, "trust.json")).mode & 0o777).toBe(0o600);
  expect(readdirSync(path).sort()).toEqual(["trust.json", "trust.lock"]);
});

test("processes that trust commands at the same time lose none of them", async () => {
  const path = place();
  const digests = Array.from({ length: 12 }, (_, at) => sha256(`command ${at}`));
  await Promise.all(digests.map((one) => open(path).remember({ root, digests: [one] })));
  const trust = open(path);
  expect(digests.filter((one) => !trust.isKnown({ root, digest: one }))).toEqual([]);
});

test.each<[string, (file: string) => void]>([
  ["cut off", (file) => writeFileSync(file, readFileSync(file, "utf8").slice(0, -20), { mode: 0o600 })],
  ["no JSON", (file) => writeFileSync(file, "\0\0\0")],
  ["of another shape", (file) => writeFileSync(file, '{"v":1,"repositories":[{"root":1}]}')],
  ["of no version", (file) => writeFileSync(file, "[]")],
  ["one that others can write", (file) => chmodSync(file, 0o622)],
  [
    "a link",
    (file) => {
      writeFileSync(`${file}.mine`, readFileSync(file));
      rmSync(file);
      symlinkSync(`${file}.mine`, file);
    },
  ],
])("a trust file that is %s counts as empty, is kept aside, and is reported", async (_what, damage) => {
  const path = place();
  await open(path).remember({ root, digests: [digest] });
  damage(join(path, "trust.json"));
  const trust = open(path);
  expect(trust.isKnown({ root, digest })).toBe(false);
  expect(trust.problems).toMatchObject([
    { code: "TRUST_DAMAGED", hint: expect.stringMatching(/asked again/) },
  ]);
  await trust.approve({ root, approval });
  expect(readdirSync(path)).toContain("trust.json.damaged-1");
  expect(trust.problems.at(-1)?.message).toContain("trust.json.damaged-1");
  const later = open(path);
  expect(later.problems).toEqual([]);
  expect(later.isApproved({ root, approval })).toBe(true);
});

test("a trust file of a newer version is neither read nor replaced", async () => {
  const path = place();
  mkdirSync(path, { recursive: true });
  const file = join(path, "trust.json");
  const old = open(path);
  writeFileSync(file, '{"v":2,"anything":[]}', { mode: 0o600 });
  expect(() => open(path)).toThrow(/newer version/);
  await expect(old.remember({ root, digests: [digest] })).rejects.toThrow(/newer version/);
  expect(readFileSync(file, "utf8")).toBe('{"v":2,"anything":[]}');
});

test("a failed write leaves the trust file as it was, and the next one succeeds", async () => {
  for (const call of ["open", "write", "sync", "rename"] as const) {
    const path = place();
    await open(path).remember({ root, digests: [digest] });
    const before = readFileSync(join(path, "trust.json"), "utf8");
    const real = openFiles();
    let isBroken = false;
    const files = new Proxy(real, {
      get: (target, name: keyof Files) => {
        if (name !== call) return target[name];
        return (...given: unknown[]) => {
          // The lock's own file is opened and written too; only operations on the new file fail.
          if (name === "open" && given[1] === "trust.json.new") isBroken = true;
          if (name === "rename") isBroken = true;
          if (name === "sync") isBroken = true;
          if (name === "write" && (given[1] as Uint8Array).length > 100) isBroken = true;
          if (isBroken) throw Object.assign(new Error("EIO"), { code: "EIO" });
          return (target[name] as (...all: unknown[]) => unknown)(...given);
        };
      },
    });
    const trust = Trust.open(files, path);
    await expect(trust.approve({ root, approval }), call).rejects.toThrow("EIO");
    expect(isBroken).toBe(true);
    expect(trust.isApproved({ root, approval })).toBe(false);
    expect(readFileSync(join(path, "trust.json"), "utf8")).toBe(before);
    await open(path).approve({ root, approval });
    expect(open(path).isApproved({ root, approval })).toBe(true);
    expect(readdirSync(path).sort()).toEqual(["trust.json", "trust.lock"]);
  }
});

test("a deleted lock of the trust file is taken again before anything is replaced", async () => {
  const path = place();
  await open(path).remember({ root, digests: [digest] });
  const real = openFiles();
  const replaced: boolean[] = [];
  let isDeleted = false;
  const files: Files = {
    ...real,
    sync: (handle) => {
      if (!isDeleted) rmSync(join(path, "trust.lock"));
      isDeleted = true;
      real.sync(handle);
    },
    rename: (...given) => {
      replaced.push(existsSync(join(path, "trust.lock")));
      real.rename(...given);
    },
  };
  await Trust.open(files, path).approve({ root, approval });
  expect(replaced).toEqual([true]);
  expect(open(path).isApproved({ root, approval })).toBe(true);
});

test("the oldest trusted commands are forgotten first, so the trust file does not grow for ever", async () => {
  const path = place();
  const digests = Array.from({ length: 1001 }, (_, at) => sha256(`command ${at}`));
  const trust = open(path);
  await trust.remember({ root, digests });
  expect(trust.isKnown({ root, digest: digests[0] ?? "" })).toBe(false);
  expect(trust.isKnown({ root, digest: digests[1] ?? "" })).toBe(true);
});

test.each([
  [{ XDG_STATE_HOME: "/state", HOME: "/home/me" }, "/state/coxswain"],
  [{ XDG_STATE_HOME: "relative", HOME: "/home/me" }, "/home/me/.local/state/coxswain"],
  [{ XDG_STATE_HOME: "", HOME: "/home/me/" }, "/home/me/.local/state/coxswain"],
  [{}, undefined],
  [{ HOME: "here" }, undefined],
])("with %j the user's state is in %s", (env, folder) => {
  expect(stateFolder(env)).toBe(folder);
});

function open(path: string): Trust {
  return Trust.open(openFiles(), path);
}

/** A folder that does not exist yet, nor does the one above it. */
function place(): string {
  const home = mkdtempSync(join(tmpdir(), "cox-trust-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return join(home, "state/coxswain");
}
