/** `cox demo apply`: applies, refuses, interrupts by a kill and undoes replies, in a throw-away folder. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { badReply, goodReply, largeReply, pagesCount, project, smallReply } from "./demo-replies.ts";
import { DemoScene } from "./demo-scene.ts";

export async function demoApply(where: { door: CommandContext; packageRoot: string }): Promise<ExitCode> {
  const scene = new ApplyScene(where);
  for (const [path, text] of Object.entries(project)) scene.write(path, text);
  scene.write("replies/good.md", goodReply);
  scene.write("replies/bad.md", badReply);
  scene.write("replies/large.md", largeReply);
  scene.write("replies/small.md", smallReply);

  scene.title("1  A model's reply, wrapped in chatter and with an escape code that would clear your screen");
  await scene.cox("apply", "replies/good.md");

  scene.title("2  A reply with four mistakes: all of them reported, not one file touched");
  await scene.cox("apply", "replies/bad.md");

  scene.title(`3  ${pagesCount} files, and the process is killed (SIGKILL) after the commit point`);
  await crash(scene);

  scene.title("4  Undo: every file of a changeset is put back as it was");
  await scene.cox("undo", "handbook");
  scene.say(`${scene.pages()} of ${pagesCount} pages there: all gone, and so is their folder.`);

  scene.title("What is left");
  await scene.cox("undo", "--list");
  await scene.cox("stats");
  scene.farewell();
  return exit.done;
}

async function crash(scene: ApplyScene): Promise<void> {
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

class ApplyScene extends DemoScene {
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
}
