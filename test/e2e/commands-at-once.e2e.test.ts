/**
 * Commands that change something, typed at the same moment: each ends with an exit code that its help documents, and no
 * effect is lost or happens twice.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { commandHelp } from "../../src/cli/table/commands.ts";
import { sized } from "../sized.ts";
import { type ChangingCommand, changingCommands } from "./changing-commands.ts";
import { makeGate } from "./gate.ts";
import type { Ended } from "./program.ts";
import { ReadyRepository } from "./ready-repository.ts";

const all = Object.keys(changingCommands);
const atOnce = 16;

/** A start costs half a second of CPU time: all of them take twenty minutes on two cores. */
const many = sized({ sample: ["land"], campaign: all });
const pairs = sized({
  sample: [
    ["land", "land (another run)"],
    ["gc", "run"],
    ["confirm", "deny"],
    ["apply (one id)", "apply (one id)"],
    ["undo --documents", "undo --documents"],
    ["gc", "gc"],
  ],
  campaign: all.flatMap((one, at) => all.slice(at).map((other) => [one, other])),
});

let repository: ReadyRepository;
beforeAll(async () => {
  repository = await ReadyRepository.make();
}, 300_000);

describe(`the effects agree with the exit codes when ${atOnce} processes at once run`, () => {
  test.for(many)("cox %s", async (name) => {
    const { ended, command } = await typedAtOnce(Array.from({ length: atOnce }, () => name));
    const done = ended.filter(({ exitCode }) => exitCode === 0).length;
    const { effects, times } = command(name);
    expect(effects(repository), saidBy(ended)).toBe(times === "each" ? done : 1);
    if (name.startsWith("land")) mustBeOneLanding(ended);
  });
});

/**
 * Exactly one reports that it landed. Commands that ran into it exit with 6, and those that began after it report that
 * nothing is left.
 */
function mustBeOneLanding(ended: readonly Ended[]): void {
  const kinds = ended.map(landingKind);
  const landed = kinds.filter((kind) => kind === "landed");
  expect([landed.length, kinds.includes("another")], saidBy(ended)).toEqual([1, false]);
}

/** The output and the exit code must agree. */
function landingKind({ exitCode, stdout, stderr }: Ended): "landed" | "after it" | "met it" | "another" {
  if (exitCode === 0 && /^✓ landed: /m.test(stdout)) return "landed";
  if (exitCode === 0 && /^Nothing to land: your branch already has everything of the run\.$/m.test(stdout))
    return "after it";
  if (exitCode === 6 && /✗ LOCK_HELD/.test(stderr) && !/landed: /.test(stdout)) return "met it";
  return "another";
}

describe("the effects agree with the exit codes when two processes at once run", () => {
  test.for(pairs)("cox %s, cox %s", async (names) => {
    const { ended, command } = await typedAtOnce(names);
    for (const name of new Set(names)) {
      const done = ended.filter(({ exitCode }, at) => names[at] === name && exitCode === 0).length;
      const { effects, times } = command(name);
      // One command may have made the other impossible, which was then refused.
      if (times === "each") expect(effects(repository), name).toBe(done);
      else if (names[0] === names[1]) expect(effects(repository), name).toBe(1);
      else expect(effects(repository), name).toBeLessThanOrEqual(1);
      if (done > 0 && !isUnneeded(name, names)) expect(effects(repository), name).toBeGreaterThanOrEqual(1);
    }
    const decisions = [...names].filter((name) => name === "confirm" || name === "deny");
    const decided = [...new Set(decisions)].reduce((sum, name) => sum + command(name).effects(repository), 0);
    expect(decided, saidBy(ended)).toBe(decisions.length === 0 ? 0 : 1);
  });
});

/** Cases in which a command succeeds and leaves the work to the other one. */
function isUnneeded(name: string, names: readonly string[]): boolean {
  const reasons: Readonly<Record<string, readonly string[]>> = {
    // A run that a process is working on keeps its desks.
    gc: ["land (another run)"],
    // The resumed run was paused or stopped before it came to its task.
    resume: ["pause", "stop"],
  };
  return names.some((other) => reasons[name]?.includes(other));
}

async function typedAtOnce(names: readonly string[]) {
  repository.restore();
  const command = (name: string) => changingCommands[name] as ChangingCommand;
  const gate = makeGate(repository.folder, names.length);
  const typing = names.map((name, at) => {
    const { args, stdin } = command(name);
    const typed = repository.with({ under: gate.under, ...(stdin && { stdin: stdin(at) }) });
    return typed.cox(...args(at, repository));
  });
  await gate.open();
  const ended = await Promise.all(typing);
  ended.forEach((one, at) => {
    mustBeHonest(names[at] ?? "", one);
  });
  expect(repository.unsound()).toEqual([]);
  return { ended, command };
}

function saidBy(ended: readonly Ended[]): string {
  return ended.map(({ exitCode, stdout, stderr }) => `exit ${exitCode}\n${stdout}${stderr}`).join("\n");
}

/** "The machine is not ready", a bug or a broken disk is never the right answer to a concurrent command. */
function mustBeHonest(name: string, { exitCode, stdout, stderr }: Ended): void {
  const words = `cox ${name}\n${stdout}\n${stderr}`;
  expect(documented(name.split(" ")[0] ?? ""), words).toContain(exitCode);
  expect([2, 5, 70, 74], words).not.toContain(exitCode);
  // A run that somebody else paused or stopped says that, and has no error of its own.
  const wasEnded = /^! (?:paused|stopped) /m.test(stdout);
  if (exitCode !== 0 && exitCode !== 3 && !wasEnded) expect(stderr, words).toMatch(/✗ [A-Z_]+/);
}

/** The codes that `cox NAME --help` names. */
function documented(name: string): number[] {
  const [, exits = ""] = /\nExit: ([\s\S]*?)\n\n/.exec(commandHelp(name) ?? "") ?? [];
  const codes = [...exits.matchAll(/(?:^|·|\n)\s*(\d+) /g)].map(([, code]) => Number(code));
  return exits.startsWith("as cox run") ? [...codes, ...documented("run")] : codes;
}
