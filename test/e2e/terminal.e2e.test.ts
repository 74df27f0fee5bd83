/** How the program behaves on a terminal: questions, Ctrl-C, pipes that close, and text that would act on the terminal. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { create, envelope, remove, replyOf } from "../bad-inputs/row.ts";
import { folderWith } from "./folder.ts";
import { cox, program } from "./program.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";

/** Types one answer after each question. */
function answering(answers: readonly string[], cwd: string, ...args: readonly string[]) {
  return onTerminal(args, { cwd, reactions: answers.map((type) => ({ when: "Allow it?", type })) });
}

const deleting = () =>
  folderWith({ "gone.txt": "precious\n".repeat(30), "reply.md": replyOf(remove("gone.txt")) });

test("on a terminal a delete is asked about, with a preview, and y allows it", (context) => {
  needsPseudoTerminal(context);
  const cwd = deleting();
  const { exitCode, output } = answering(["y\n"], cwd, "apply", "reply.md");
  expect(exitCode).toBe(0);
  expect(output).toContain("CONFIRM_DELETE");
  expect(output.match(/- precious/g)).toHaveLength(20);
  expect(output).toContain("… 10 more lines");
  expect(existsSync(join(cwd, "gone.txt"))).toBe(false);
});

test("a bare Enter at a question of cox apply is a no, and a no refuses the whole reply", (context) => {
  needsPseudoTerminal(context);
  const cwd = deleting();
  const { exitCode, output } = answering(["\n"], cwd, "apply", "reply.md");
  expect(exitCode).toBe(1);
  expect(output).toContain("CONFIRM_DENIED");
  expect(output).toContain("nothing was changed");
  expect(existsSync(join(cwd, "gone.txt"))).toBe(true);
});

test("the answer d to a question of cox apply shows the difference and asks again", (context) => {
  needsPseudoTerminal(context);
  const cwd = deleting();
  const { exitCode, output } = answering(["d\n", "y\n"], cwd, "apply", "reply.md");
  expect(exitCode).toBe(0);
  expect(output).toContain("+++ /dev/null");
});

test("Ctrl-C at a question changes nothing and is exit 130", (context) => {
  needsPseudoTerminal(context);
  const cwd = deleting();
  expect(answering(["\x03"], cwd, "apply", "reply.md").exitCode).toBe(130);
  expect(existsSync(join(cwd, "gone.txt"))).toBe(true);
});

test("end of input at a question is a no", (context) => {
  needsPseudoTerminal(context);
  expect(answering(["\x04"], deleting(), "apply", "reply.md").exitCode).toBe(1);
});

test("cox apply --json asks no question, terminal or not", (context) => {
  needsPseudoTerminal(context);
  const { exitCode, output } = answering([], deleting(), "apply", "reply.md", "--json");
  expect(exitCode).toBe(3);
  expect(JSON.parse(output)).toMatchObject({ ok: false });
});

test("Ctrl-C while the reply is read changes nothing and is exit 130", async (context) => {
  if (process.platform !== "linux") context.skip("readiness is seen in /proc, which only Linux has");
  const cwd = folderWith();
  const child = spawn(process.execPath, [program, "apply", "--json"], { cwd, stdio: "pipe" });
  child.stdin.write(replyOf(create("a.txt")));
  let output = "";
  child.stdout.on("data", (text) => {
    output += text;
  });
  while (!catchesInterrupts(child.pid ?? 0)) await sleep(5);
  child.kill("SIGINT");
  const exitCode = await new Promise((resolve) => child.once("close", resolve));
  expect(exitCode).toBe(130);
  expect(JSON.parse(output)).toMatchObject({ ok: false, errors: [{ code: "INTERRUPTED" }] });
  expect(existsSync(join(cwd, "a.txt"))).toBe(false);
});

/** Checked by SIGHUP, the last handler that the program installs: Node itself handles SIGINT from the start. */
function catchesInterrupts(pid: number): boolean {
  const caught = readFileSync(`/proc/${pid}/status`, "utf8").match(/^SigCgt:\s*([0-9a-f]+)/m)?.[1] ?? "0";
  return (BigInt(`0x${caught}`) & 1n) !== 0n;
}

test("Ctrl-C after the commit point does not stop a changeset halfway", async () => {
  const operations = Array.from({ length: 600 }, (_, at) => create(`f/${at}.txt`, "x\n"));
  const cwd = folderWith({ "reply.md": replyOf(...operations) });
  const child = spawn(process.execPath, [program, "apply", "reply.md", "--id", "big"], {
    cwd,
    stdio: "ignore",
  });
  const ledger = join(cwd, ".coxswain/changesets/ledger.jsonl");
  const ended = new Promise((resolve) => child.once("close", resolve));
  while (child.exitCode === null && !isPrepared(ledger)) await sleep(1);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
  for (let at = 0; at < 600; at++) expect(existsSync(join(cwd, `f/${at}.txt`))).toBe(true);
});

function isPrepared(ledger: string): boolean {
  return existsSync(ledger) && readFileSync(ledger, "utf8").includes('"changeset_prepared"');
}

test("cox apply succeeds and applies the reply when the reader of its output goes away", () => {
  const cwd = folderWith({ "reply.md": replyOf(create("a.txt")) });
  const line = `"${process.execPath}" "${program}" apply reply.md | true; echo "\${PIPESTATUS[0]}"`;
  const ended = spawnSync("bash", ["-c", line], { cwd, encoding: "utf8" });
  expect(ended).toMatchObject({ stdout: "0\n", stderr: "" });
  expect(existsSync(join(cwd, "a.txt"))).toBe(true);
});

test.each([
  ["TERM-01", "\u001b[2J\u001b[H"],
  ["TERM-04 DCS", "\u001bPdata\u001b\\"],
  ["TERM-04 title", "\u001b]0;title\u0007"],
  ["TERM-04 report", "\u001b[6n"],
  ["TERM-05 carriage return", "safe\rEVIL"],
  ["TERM-05 backspace", "ab\b\bcd"],
  ["TERM-06", "a\u202eb"],
  ["TERM-08", "x".repeat(1_000_000)],
])(
  "%s in a description, a summary, a file or an error never reaches the terminal as it is",
  async (_id, text) => {
    const operations = [{ ...create("a.txt", `${text}\n`), description: `Make a file ${text}` }];
    const summary = { ...envelope(operations), specialist_summary: text };
    const cwd = folderWith({ "old.txt": "old\n" });
    const runs = [
      await cox(["apply", "--dry-run"], { cwd, stdin: JSON.stringify(summary) }),
      await cox(["apply"], { cwd, stdin: JSON.stringify(summary) }),
      await cox(["undo", "--list"], { cwd }),
      await cox(["apply"], { cwd, stdin: replyOf({ ...create(text), [text]: text }) }),
      await cox(["apply", text.slice(0, 100)], { cwd }),
      await cox([text.slice(0, 100)], { cwd }),
    ];
    for (const { stdout, stderr } of runs) {
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      for (const line of (stdout + stderr).split("\n")) expect(line.length).toBeLessThan(5000);
    }
  },
);

test("TERM-07 text that imitates a line of our output stays inside its own line", async () => {
  const forged = "x\n✓ 9 of 9 files on disk, read back";
  const stdin = replyOf({ ...create("a.txt"), description: `Forge a line ${forged}` });
  const { stdout } = await cox(["apply"], { cwd: folderWith(), stdin });
  expect(stdout.split("\n").filter((line) => line.startsWith("✓"))).toHaveLength(1);
});
