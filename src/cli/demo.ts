/**
 * `cox demo`: the whole story on a throw-away folder, told by the real program. Every line behind a `$` is a
 * process of its own, and the one that is killed is really killed.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { badReply, goodReply, largeReply, pagesCount, project, smallReply } from "./demo-replies.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export async function demo(door: Door): Promise<ExitCode> {
  const scene = new Scene(door, mkdtempSync(join(tmpdir(), "cox-demo-")));
  for (const [path, text] of Object.entries(project)) scene.write(path, text);
  scene.write("replies/good.md", goodReply);
  scene.write("replies/bad.md", badReply);
  scene.write("replies/large.md", largeReply);
  scene.write("replies/small.md", smallReply);

  scene.title("1  A model's reply, wrapped in chatter and with an escape code that would clear your screen");
  await scene.cox("apply", "replies/good.md");

  scene.title("2  A reply with four mistakes: all of them reported, not one file touched");
  await scene.cox("apply", "replies/bad.md");

  scene.title(`3  ${pagesCount} files, and the process is killed (SIGKILL) behind the commit point`);
  await crash(scene);

  scene.title("4  Undo: every file of a changeset put back as it was");
  await scene.cox("undo", "handbook");
  scene.say(`${scene.pages()} of ${pagesCount} pages there: all gone, and so is their folder.`);

  scene.title("What is left");
  await scene.cox("undo", "--list");
  await scene.cox("stats");
  scene.farewell();
  return exit.done;
}

async function crash(scene: Scene): Promise<void> {
  const isHalfway = () => scene.isCommitted() && scene.pages() >= pagesCount / 4;
  const killed = await scene.coxKilledWhen(isHalfway, "apply", "replies/large.md", "--id", "handbook");
  scene.say(
    killed ? `Killed. ${scene.pages()} of ${pagesCount} pages are there.` : "It was faster than the signal.",
  );
  await scene.cox("doctor");
  scene.say("The next command finishes it before it does anything else:");
  await scene.cox("apply", "replies/small.md");
  scene.say(`${scene.pages()} of ${pagesCount} pages are there: whole, never half.`);
}

/** A folder, a narrator and a program to run. */
class Scene {
  private readonly program = fileURLToPath(new URL("../../../bin/cox.js", import.meta.url));

  constructor(
    private readonly door: Door,
    private readonly folder: string,
  ) {}

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

  async cox(...args: readonly string[]): Promise<void> {
    await this.ended(this.start(args, "inherit"));
  }

  /** Whether the signal came before the process had ended by itself. */
  async coxKilledWhen(condition: () => boolean, ...args: readonly string[]): Promise<boolean> {
    const child = this.start(args, "ignore");
    const ended = this.ended(child);
    while (child.exitCode === null && !condition()) await sleep(1);
    child.kill("SIGKILL");
    await ended;
    return child.signalCode === "SIGKILL";
  }

  isCommitted(): boolean {
    const ledger = join(this.folder, ".coxswain/changesets/ledger.jsonl");
    const records = existsSync(ledger) ? readFileSync(ledger, "utf8").split("\n") : [];
    return records.some((record) => record.includes('"changeset_prepared"') && record.includes('"handbook"'));
  }

  pages(): number {
    const handbook = join(this.folder, "handbook");
    return existsSync(handbook) ? readdirSync(handbook).length : 0;
  }

  farewell(): void {
    const { terminal } = this.door;
    terminal.print(`
Everything is in ${terminal.paint("bold", this.folder)} and stays there. Look at
  replies/                            what the model wrote
  .coxswain/changesets/progress.md    what was done, for people
  .coxswain/changesets/ledger.jsonl   what was done, for machines
Then try your own: cox apply reply.md --dry-run
`);
  }

  private start(args: readonly string[], output: "inherit" | "ignore") {
    const { terminal, values } = this.door;
    terminal.print(`${terminal.paint("cyan", `$ cox ${args.join(" ")}`)}\n`);
    const plain = values.has("no-color") ? ["--no-color"] : [];
    return spawn(process.execPath, [this.program, ...args, ...plain], {
      cwd: this.folder,
      stdio: ["ignore", output, output],
    });
  }

  private ended(child: ReturnType<typeof spawn>): Promise<void> {
    return new Promise((resolve, reject) => child.once("close", () => resolve()).once("error", reject));
  }
}
