import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { nodeSetupStore } from "../world/folders/node-setup-store.ts";
import { nodeProcesses } from "../world/processes/node-processes.ts";
import { pause } from "../world/time/pause.ts";
import { processVerifier } from "./process-verifier.ts";
import { verifierContract } from "./verifier.contract.ts";
import type { Evidence, Verifier, VerifyRequest } from "./verifier.ts";

verifierContract("by processes", () => {
  const root = mkdtempSync(join(tmpdir(), "cox-verify-"));
  return {
    verifier: verifierIn(root),
    folder: root,
    end: () => rmSync(root, { recursive: true, force: true }),
  };
});

let root: string;
let folder: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "cox-verify-")));
  mkdirSync(join(root, "counted"));
  folder = checkout("checkout");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test("the evidence has the whole output, both streams in order, bound by its hash", async () => {
  const evidence = await verify({ commands: ["for i in 1 2 3; do echo out $i; echo err $i >&2; done"] });
  const output = "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n";
  expect(evidence.commands).toMatchObject([
    { output, outputSha256: createHash("sha256").update(output).digest("hex") },
  ]);
});

test("of a long verify output the end is shown, and the hash is of all", async () => {
  const evidence = await verify({ commands: ["seq 1 100000"] });
  const all = Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join("");
  const [shown] = evidence.commands;
  expect(shown?.output.length).toBe(16 * 1024);
  expect(all.endsWith(shown?.output ?? "?")).toBe(true);
  expect(shown?.outputSha256).toBe(createHash("sha256").update(all).digest("hex"));
});

test("a verify command is passed to the shell exactly as it was written", async () => {
  const commands = ['x="a  b"; echo "$x" "$0" $#; false; echo still here', "# only a comment", "", "-v"];
  const evidence = await verify({ commands });
  expect(evidence.commands.map(({ output }) => output.split("\n")[0])).toEqual([
    "a  b /bin/sh 0",
    "",
    "",
    "/bin/sh: 1: -v: not found",
  ]);
  expect(evidence.failure).toMatchObject({ command: "-v", why: "exit code 127" });
});

test("PROC-16 a verify command gets the harmless and allowed variables of our environment, and the marks", async () => {
  const environment = {
    PATH: "/usr/bin:.:/bin",
    HOME: "/srv/ann",
    GITHUB_TOKEN: "t",
    NODE_OPTIONS: "--x",
    GIT_DIR: "/",
    ALLOWED: "yes",
  };
  const verifier = verifierIn(root, { environment, pass: ["ALLOWED"] });
  const evidence = await verify({ commands: ["env"], marks: { COX_RUN: "r1" } }, verifier);
  const lines = evidence.commands[0]?.output.trim().split("\n") ?? [];
  expect(lines.filter((line) => !/^(COX_PROCESS|PWD|OLDPWD|SHLVL|_)=/.test(line)).sort()).toEqual([
    "ALLOWED=yes",
    "CI=1",
    "COX_RUN=r1",
    "HOME=/srv/ann",
    "PATH=/usr/bin:/bin",
    "TERM=dumb",
  ]);
});

test("the environment digest of evidence differs for another environment, but not for another run", async () => {
  const digest = async (environment: Record<string, string>, run: string) =>
    (await verify({ marks: { COX_RUN: run } }, verifierIn(root, { environment }))).environmentDigest;
  expect(await digest({ LANG: "C" }, "r1")).toBe(await digest({ LANG: "C", GITHUB_TOKEN: "t" }, "r2"));
  expect(await digest({ LANG: "C" }, "r1")).not.toBe(await digest({ LANG: "de" }, "r1"));
});

test("a cancelled verify command is ended with all it started", async () => {
  const seen: string[] = [];
  const handle = verifierIn(root).verify(request({ commands: ["echo begun; sleep 1000 & wait", "true"] }), {
    onSign: ({ command, line }) => seen.push(`${command.slice(0, 4)}: ${line}`),
  });
  while (seen.length === 0) await pause(5);
  handle.cancel();
  const evidence = await handle.evidence;
  expect(seen).toEqual(["echo: begun"]);
  expect(evidence.failure?.why).toBe("cancelled");
  expect(evidence.commands).toMatchObject([{ exitCode: null, output: "begun\n" }]);
});

test("a verify command that dies of a signal has not passed", async () => {
  const evidence = await verify({ commands: ["kill -KILL $$"] });
  expect(evidence).toMatchObject({ passed: false, failure: { why: "ended by SIGKILL" } });
  expect(evidence.commands).toMatchObject([{ exitCode: null, signal: "SIGKILL" }]);
});

test("a missing checkout is reported, and nothing passes", async () => {
  const away = join(root, "away");
  const evidence = await verify({ folder: away, setup: ["true"], commands: ["true"] });
  expect(evidence).toMatchObject({
    passed: false,
    failure: { step: "setup", why: expect.stringContaining(away) },
  });
});

const installs =
  "echo ran >> ../counted/count; mkdir -p packages/a; echo built > packages/a/lib; ln -s a packages/b";

test("the files of a setup are used again for the same digest, and the setup is not run", async () => {
  expect((await verify({ setup: [installs], commands: ["cat packages/b/lib"] })).passed).toBe(true);
  const other = checkout("other");
  const evidence = await verify({ folder: other, setup: [installs], commands: ["cat packages/b/lib"] });
  expect(evidence).toMatchObject({ passed: true, commands: [{ output: "built\n" }] });
  expect(times()).toBe(1);
});

test.each<[string, Partial<VerifyRequest>]>([
  ["another digest", { setupDigest: "other" }],
  ["another command", { setup: [`${installs}; true`] }],
])("a setup is run again for %s", async (_, part) => {
  await verify({ setup: [installs] });
  await verify({ folder: checkout("other"), setup: [installs], ...part });
  expect(times()).toBe(2);
});

test("a setup that failed, or was cancelled, is not kept", async () => {
  await verify({ setup: [installs, "exit 1"] });
  expect((await verify({ folder: checkout("other"), setup: [installs, "exit 1"] })).passed).toBe(false);
  expect(times()).toBe(2);
  expect(existsSync(join(root, "setups"))).toBe(false);
});

test("files of a verify command are not kept with the setup", async () => {
  await verify({ setup: [installs], commands: ["touch packages/cheat beside"] });
  const other = checkout("other");
  await verify({ folder: other, setup: [installs] });
  expect(readdirSync(join(other, "packages")).sort()).toEqual(["a", "b"]);
  expect(existsSync(join(other, "beside"))).toBe(false);
});

test("a verify command cannot write into the store of setups", async (context) => {
  await verify({ setup: [installs] });
  const cheat = `echo cheat > ${root}/setups/$(ls ${root}/setups)/files/packages/a/lib`;
  const { passed } = await verify({ folder: checkout("other"), setup: [installs], commands: [cheat] });
  const trial = await nodeProcesses.start({
    argv: ["true"],
    folder,
    environment: {},
    keepBytes: 0,
    bytesMax: 0,
    graceMs: 0,
    confinement: { readOnly: [root], writable: [] },
  }).ended;
  if (!trial.isConfined) context.skip("this machine lets no user confine a program");
  expect(passed).toBe(false);
});

function times(): number {
  return readFileSync(join(root, "counted/count"), "utf8").trim().split("\n").length;
}

function checkout(name: string): string {
  const path = join(root, name);
  mkdirSync(join(path, "src"), { recursive: true });
  writeFileSync(join(path, "src/main"), "of the tree");
  return path;
}

function verifierIn(
  root: string,
  more: { environment?: Record<string, string>; pass?: readonly string[] } = {},
): Verifier {
  return processVerifier({
    processes: nodeProcesses,
    setups: nodeSetupStore(join(root, "setups")),
    environment: { PATH: "/usr/bin:/bin" },
    ...more,
  });
}

function request(part: Partial<VerifyRequest>): VerifyRequest {
  return {
    tree: "t1",
    folder,
    setup: [],
    setupDigest: "d",
    commands: [],
    marks: {},
    readOnly: [],
    writable: [join(root, "counted")],
    ...part,
  };
}

function verify(part: Partial<VerifyRequest>, verifier: Verifier = verifierIn(root)): Promise<Evidence> {
  return verifier.verify(request(part)).evidence;
}
