/**
 * The setting of a demo: a throw-away folder, a narrator, and the real program. Every line after a `$` is a process of
 * its own, and a process that is killed is really killed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { CommandContext } from "../command-context.ts";

export class DemoScene {
  readonly folder = mkdtempSync(join(tmpdir(), "cox-demo-"));
  readonly #program: string;
  protected readonly door: CommandContext;

  constructor({ door, packageRoot }: { readonly door: CommandContext; readonly packageRoot: string }) {
    this.door = door;
    this.#program = join(packageRoot, "bin/cox.js");
  }

  /** The environment the program is started with. */
  get environment(): NodeJS.ProcessEnv {
    return process.env;
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.folder, dirname(path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  title(text: string): void {
    this.door.terminal.print(`\n${this.door.terminal.paint("bold", text)}\n`);
  }

  say(text: string): void {
    this.door.terminal.print(`  ${text}\n`);
  }

  /** Returns the exit code. */
  cox(...args: readonly string[]): Promise<number> {
    return this.run(args, this.folder);
  }

  run(args: readonly string[], cwd: string): Promise<number> {
    return ended(this.#start(args, { cwd, isShown: true }));
  }

  /** Returns whether the signal arrived before the process ended by itself. */
  async coxKilledWhen(condition: () => boolean, ...args: readonly string[]): Promise<boolean> {
    const child = this.#start(args, { cwd: this.folder, isShown: false });
    const over = ended(child);
    while (child.exitCode === null && !condition()) await sleep(1);
    child.kill("SIGKILL");
    await over;
    return child.signalCode === "SIGKILL";
  }

  /** Everything goes to one stream, so that the story stays in order. */
  #start(
    args: readonly string[],
    { cwd, isShown }: { readonly cwd: string; readonly isShown: boolean },
  ): ChildProcess {
    const { terminal, values, signal } = this.door;
    terminal.print(`${terminal.paint("cyan", `$ cox ${args.map(shellWord).join(" ")}`)}\n`);
    const plain = values.has("no-color") ? ["--no-color"] : [];
    const output = isShown ? 1 : "ignore";
    const child = spawn(process.execPath, [this.#program, ...args, ...plain], {
      cwd,
      env: this.environment,
      stdio: ["ignore", output, output],
    });
    // The child receives a Ctrl-C itself, but not a signal sent only to us.
    const pass = () => child.kill("SIGINT");
    signal.addEventListener("abort", pass);
    child.once("close", () => signal.removeEventListener("abort", pass));
    return child;
  }
}

/** Quotes the word as one would type it. */
function shellWord(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : JSON.stringify(word);
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) =>
    child.once("close", (code) => resolve(code ?? 1)).once("error", reject),
  );
}
