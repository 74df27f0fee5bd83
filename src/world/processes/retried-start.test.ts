import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { holdsHere } from "../sandbox/confine.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { unshare } from "../sandbox/unshare.ts";
import type { Program } from "./processes.ts";
import { startProgram } from "./start-program.ts";

let folder: string;
let layers: string;

beforeEach((context) => {
  if (!holdsHere(unshare)) context.skip("this machine lets no user make namespaces");
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-retried-")));
  layers = realpathSync(mkdtempSync(join(tmpdir(), "cox-retried-layers-")));
});

afterEach(() => {
  for (const path of [folder, layers]) if (path) rmSync(path, { recursive: true, force: true });
});

test("a program whose sandbox was refused once is started with a fresh plan, and runs once", async () => {
  const sandbox = refusing(1);
  const ended = await startProgram(program("echo began >> log; cat log"), { layers, ...sandbox }).ended;
  expect([ended.how, ended.isConfined]).toEqual([{ kind: "exited", code: 0 }, true]);
  expect([decodeUtf8(ended.stdout), sandbox.plans()]).toEqual(["began\n", 2]);
});

test("input written to a program before its sandbox was refused still reaches it", async () => {
  const running = startProgram({ ...program("cat"), isTalkedTo: true }, { layers, ...refusing(2) });
  running.stdin?.write(encodeUtf8("one\n"));
  running.stdin?.write(encodeUtf8("two\n"));
  running.stdin?.end();
  expect(decodeUtf8((await running.ended).stdout)).toBe("one\ntwo\n");
});

test("a sandbox that is refused three times starts nothing, and says why", async () => {
  const sandbox = refusing(Number.POSITIVE_INFINITY);
  const ended = await startProgram(program("echo began"), { layers, ...sandbox }).ended;
  expect(ended.how).toMatchObject({ kind: "not-started", message: expect.stringContaining("not confined") });
  expect([decodeUtf8(ended.stdout), sandbox.plans()]).toEqual(["", 3]);
});

test("a program that is cancelled while its sandbox is refused is not started again", async () => {
  const sandbox = refusing(1);
  const running = startProgram(program("echo began"), { layers, ...sandbox });
  running.cancel();
  expect((await running.ended).how).toEqual({ kind: "cancelled" });
  expect(sandbox.plans()).toBe(1);
});

/** A sandbox whose mounts fail for the first `count` programs. */
function refusing(count: number) {
  let plans = 0;
  const sandbox: Sandbox = {
    ...unshare,
    wrap(request) {
      plans += 1;
      const command = unshare.wrap(request);
      if (plans > count) return command;
      return command && { ...command, mounts: "nothing /nowhere/at/all none bind\n" };
    },
  };
  return { choose: () => sandbox, plans: () => plans };
}

function program(script: string): Program {
  return {
    argv: ["sh", "-c", script],
    folder,
    environment: { PATH: "/usr/bin:/bin", HOME: folder },
    keepBytes: 10_000,
    bytesMax: 1_000_000,
    graceMs: 2_000,
    confinement: { readOnly: [], writable: [folder] },
  };
}
