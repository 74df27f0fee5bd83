/** The ground that the tests with real clients stand on. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acpCrews } from "./crew-acp.ts";
import { crews } from "./crews.ts";
import { fetched } from "./fetched.ts";
import { run } from "./run.ts";

const env = { PATH: "/usr/bin:/bin" };

test("a child that left the session is ended with the program that started it", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "cox-run-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const script = "setsid sleep 600 > /dev/null 2>&1 < /dev/null & echo $! > pid; cat";
  const ended = await run(["sh", "-c", script], { cwd, env, stdin: "heard", deadlineMs: 20_000 });
  expect(ended).toMatchObject({ exitCode: 0, signal: null, stdout: "heard" });
  const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a program that does not end is ended at its deadline", async () => {
  const ended = await run(["sleep", "600"], { cwd: tmpdir(), env, deadlineMs: 50 });
  expect(ended).toMatchObject({ exitCode: null, signal: "SIGKILL" });
});

test("each line is sent to a program when the one before is answered, and then stdin is closed", async () => {
  const talk = { says: ["one\n", "two\n"], isAnswer: (line: string) => line.startsWith("heard") };
  const script = "while read line; do echo heard $line; done; echo over";
  const ended = await run(["sh", "-c", script], { cwd: tmpdir(), env, stdin: talk, deadlineMs: 20_000 });
  expect(ended.stdout).toBe("heard one\nheard two\nover\n");
});

test("a program's install script writes into a temporary home, which is removed afterwards, not into ours", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cox-fetch-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = `const { HOME, TMPDIR } = process.env; require("fs").writeFileSync("homes.json", JSON.stringify({ HOME, TMPDIR }));`;
  const manifest = {
    name: "rude",
    version: "1.0.0",
    bin: "tell.js",
    scripts: { postinstall: "node write.js" },
  };
  for (const [name, text] of Object.entries({
    "package.json": JSON.stringify(manifest),
    "write.js": script,
    "tell.js": `#!/usr/bin/env node\nconsole.log(require("fs").readFileSync(__dirname + "/homes.json", "utf8"))`,
  }))
    writeFileSync(join(folder, name), text);
  execFileSync("npm", ["pack", "--silent"], {
    cwd: folder,
    env: { ...env, HOME: folder, PATH: process.env.PATH },
  });
  const rude = { name: "rude", version: `file:${folder}/rude-1.0.0.tgz`, program: "rude" };
  const found = await fetched(rude, join(folder, "cache"));
  expect(found).toEqual({ path: expect.stringContaining(join(folder, "cache")) });
  if (!("path" in found)) return;
  const told = execFileSync(process.execPath, [realpathSync(found.path)], { encoding: "utf8" });
  expect(JSON.parse(told).HOME).toMatch(/cox-fetch-/);
  expect(JSON.parse(told).HOME).not.toBe(homedir());
  expect(JSON.parse(told).TMPDIR).toBe(JSON.parse(told).HOME);
  expect(existsSync(JSON.parse(told).HOME)).toBe(false);
});

test("every program is fetched at an exact version, since npm takes an older one where the newest needs another Node", () => {
  const programs = [...crews, ...acpCrews];
  expect(programs.length).toBeGreaterThan(7);
  for (const { version } of programs) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("a program that cannot be fetched is reported with npm's own reason", async () => {
  const lost = { name: "@coxswain/there-is-no-such-package", version: "9.9.9", program: "lost" };
  const found = await fetched(lost);
  expect(found).toEqual({
    missing: expect.stringMatching(/^@coxswain\/there-is.* could not be fetched: npm/),
  });
});

function isRunning(pid: number): boolean {
  try {
    // The state stands behind the name; Z is one that has ended and that nobody asked about.
    return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
