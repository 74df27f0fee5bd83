/**
 * Types what a page tells the reader to type, in one shell and one fresh folder, and compares what it prints.
 *
 * `cox` and `npx coxswain` are this repository's program. Nothing of the user's is seen: home and git configuration
 * are fresh too.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CommandStep, Page } from "./document.ts";

/** A command that no test can run, and why. */
export interface NotRun {
  readonly command: RegExp;
  readonly because: string;
}

/** What went otherwise than the page says. `program` is the file that `cox` starts. */
export function runPage(
  page: Page,
  { program, notRun }: { program: string; notRun: readonly NotRun[] },
): string[] {
  const desk = mkdtempSync(join(tmpdir(), "cox-docs-"));
  try {
    const commands = page.steps
      .filter((step) => step.kind === "command")
      .filter((step) => !isLeftOut(step, notRun));
    runScript(desk, script(desk, page, commands), program);
    return [...page.mistakes, ...commands.flatMap((step, at) => compare(step, outcome(desk, at)))];
  } finally {
    rmSync(desk, { recursive: true, force: true });
  }
}

function isLeftOut(step: CommandStep, notRun: readonly NotRun[]): boolean {
  return notRun.some(({ command }) => command.test(step.command.trim()));
}

function script(desk: string, page: Page, commands: readonly CommandStep[]): string {
  const lines = [`cd ${quoted(join(desk, "here"))}`];
  for (const step of page.steps) {
    if (step.kind === "file") {
      const folder = dirname(step.path);
      lines.push(`mkdir -p ${quoted(folder)} && printf %s ${quoted(step.text)} > ${quoted(step.path)}`);
      continue;
    }
    const at = commands.indexOf(step);
    if (at === -1) continue;
    const output = quoted(join(desk, `${at}.output`));
    lines.push(
      `eval ${quoted(step.command)} > ${output} 2>&1 < /dev/null`,
      `echo $? > ${quoted(join(desk, `${at}.code`))}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function runScript(desk: string, text: string, program: string): void {
  for (const folder of ["here", "home", "bin", "temporary"]) mkdirSync(join(desk, folder));
  const shims = {
    cox: `exec ${quoted(process.execPath)} ${quoted(program)} "$@"`,
    coxswain: 'exec cox "$@"',
    npx: 'if [ "$1" = coxswain ]; then shift; exec cox "$@"; fi; echo "npx $1 is not for a page" >&2; exit 127',
    npm: 'if [ "$*" = "run demo" ]; then exec cox demo; fi; echo "npm $* is not for a test" >&2; exit 127',
  };
  for (const [name, line] of Object.entries(shims)) {
    writeFileSync(join(desk, "bin", name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(desk, "bin", name), 0o755);
  }
  const gitConfiguration =
    "[user]\n\tname = Reader\n\temail = reader@example.com\n[init]\n\tdefaultBranch = main\n";
  writeFileSync(join(desk, "home", ".gitconfig"), gitConfiguration);
  writeFileSync(join(desk, "script"), text);
  spawnSync("bash", [join(desk, "script")], {
    stdio: "ignore",
    timeout: 120_000,
    killSignal: "SIGKILL",
    env: {
      PATH: `${join(desk, "bin")}:${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: join(desk, "home"),
      TMPDIR: join(desk, "temporary"),
      LC_ALL: "C.UTF-8",
      TERM: "dumb",
      GIT_CONFIG_NOSYSTEM: "1",
      COX_TEST_RUN: process.env.COX_TEST_RUN,
    },
  });
}

interface Outcome {
  /** Nothing when the shell did not get to the command's end. */
  readonly exitCode?: number;
  readonly output: string;
}

function outcome(desk: string, at: number): Outcome {
  const read = (name: string) => (existsSync(join(desk, name)) ? readFileSync(join(desk, name), "utf8") : "");
  const code = read(`${at}.code`).trim();
  return { output: read(`${at}.output`), ...(code === "" ? {} : { exitCode: Number(code) }) };
}

function compare(step: CommandStep, { exitCode, output }: Outcome): string[] {
  const { command } = step;
  if (exitCode === undefined)
    return [`line ${step.line}: the shell did not come to the end of: ${command}\n${output}`];
  if (exitCode !== step.exitCode) {
    return [`line ${step.line}: exit ${exitCode}, and the page says ${step.exitCode}: ${command}\n${output}`];
  }
  if (step.output === undefined || matches(output, step.output)) return [];
  return [`line ${step.line}: ${command}\nprinted:\n${output}\nand the page says:\n${step.output}`];
}

/** Ends of lines and of the text do not count; `…` alone on a line is any lines, inside one any characters. */
function matches(actual: string, shown: string): boolean {
  const trimmed = actual.replace(/[ \t]+$/gm, "").trimEnd();
  const pattern = shown
    .split("\n")
    .map((line) => (line.trim() === "…" ? "(.*\n)*" : `${line.split("…").map(escaped).join(".*")}\n`))
    .join("");
  return new RegExp(`^${pattern}$`).test(`${trimmed}\n`);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
