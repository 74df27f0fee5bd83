/**
 * A repository in which every command that changes something has something to do: a run with a task that is done, one
 * that can continue, one that asks, one that waits for a yes and one that failed; a run that is over, and one whose log
 * is damaged; a changeset; a task list. It is made once and restored before each try.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { Peek } from "../../src/changeset/peek.ts";
import { verifyHistory } from "../../src/document-store/verify-history.ts";
import { verifyLog } from "../../src/journal/verify-log.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { create, replyOf } from "../bad-inputs/row.ts";
import { type Logged, RunWorld } from "./run-world.ts";

const agent = `cat > /dev/null
ask() { printf 'SEEKING DIVINE CLARIFICATION: which port?\\nOptions:\\n- 8080\\n- 9090\\n'; exit; }
case "$COX_TURN" in
  goes-on.1.1 | asks.*) ask ;;
  deletes.*) rm -f old.txt ;;
  fails.*) echo "TASK INCOMPLETE: fails - it is too hard"; exit ;;
  *) echo "$COX_TASK" > "$COX_TASK.txt" ;;
esac
echo "READY FOR AUDIT: $COX_TASK"
`;

const plan = (title: string, ...tasks: string[]) =>
  `# ${title}\n\n## Tasks\n\n${tasks.map((task) => `- [ ] ${task}\n`).join("")}`;

export class ReadyRepository extends RunWorld {
  /** The run that commands are about. */
  readonly main = "";
  /** A run that is over. */
  readonly over = "";
  /** A run with an extra line in its log. */
  readonly damaged = "damaged-run";
  /** The ids of questions, by what they are about. */
  readonly questions = { asks: "", deletes: "" };
  readonly #kept: string;

  private constructor(folder: string) {
    super(
      {
        plan: plan("Main", "done", "goes-on", "asks", "deletes", "fails"),
        agents: { dev: agent },
        config: 'verify: "true"\nconfirm-deletes: ask\nturn-attempts: 1\naudit-attempts: 1\n',
        files: {
          "old.txt": "old\n",
          "over.md": plan("Over", "small"),
          "next.md": plan("Next", "later"),
          ".coxswain/docs/api.md": "# Api\n\n## Tasks\n\n### Sign\n\nTokens.\n",
        },
      },
      folder,
    );
    this.#kept = `${folder}.kept`;
  }

  static async make(): Promise<ReadyRepository> {
    const folder = mkdtempSync(join(tmpdir(), "cox-e2e-"));
    const repository = new ReadyRepository(folder);
    afterAll(() => {
      for (const path of [folder, repository.#kept]) rmSync(path, { recursive: true, force: true });
    });
    await repository.#prepare();
    cpSync(folder, repository.#kept, copying);
    return repository;
  }

  /** Restores everything to how it was when it was made. */
  restore(): void {
    rmSync(this.folder, { recursive: true, force: true });
    cpSync(this.#kept, this.folder, copying);
  }

  async #prepare(): Promise<void> {
    const typed = async (exitCode: number, ...args: string[]) => {
      const ended = await this.cox(...args);
      expect(ended.exitCode, `cox ${args.join(" ")}\n${ended.stdout}${ended.stderr}`).toBe(exitCode);
    };
    await typed(0, "run", "over.md", "--yes");
    const over = this.run;
    await typed(3, "run", "plan.md", "--yes");
    const main = this.runs().find((run) => run !== over) ?? "";
    Object.assign(this, { main, over });
    const asked = this.#questionOf("goes-on");
    Object.assign(this.questions, { asks: this.#questionOf("asks"), deletes: this.#questionOf("deletes") });
    await typed(0, "answer", asked, "8080", "--run", main);
    cpSync(this.#runFolder(over), this.#runFolder(this.damaged), copying);
    const log = join(this.#runFolder(this.damaged), "events.jsonl");
    appendFileSync(log, `${readFileSync(log, "utf8").trimEnd().split("\n").at(-1)}\n`);
    await typed(0, "task", "add", "Find the leak", "--main-workflow", "bug-hunt");
    await typed(0, "task", "add", "Fix it");
    await typed(0, "task", "start");
    await typed(0, "task", "add", "One more");
    const stdin = replyOf(create("applied.txt"));
    expect((await this.with({ stdin }).cox("apply", "--id", "first")).exitCode).toBe(0);
  }

  #questionOf(task: string): string {
    const all = [...this.happened("agent_seeks_guidance"), ...this.happened("confirmation_requested")];
    return String(all.find((data) => data.task === task)?.question);
  }

  #runFolder(run: string): string {
    return join(this.root, ".coxswain/runs", run);
  }

  runs(): string[] {
    return readdirSync(join(this.root, ".coxswain/runs")).filter((run) =>
      existsSync(join(this.#runFolder(run), "events.jsonl")),
    );
  }

  filesOf(run: string): string[] {
    return readdirSync(this.#runFolder(run));
  }

  /** The data of the events of that name, of the main run or another. */
  happened(name: string, run = this.main): Record<string, unknown>[] {
    const lines = readFileSync(join(this.#runFolder(run), "events.jsonl"), "utf8")
      .split("\n")
      .slice(0, -1);
    const events = lines.map((line) => JSON.parse(line) as Logged);
    return events.flatMap(({ event, data }) => (event === name ? [data] : []));
  }

  /** Everything that is wrong, whatever was typed and however it ended. */
  unsound(): string[] {
    const files = openFiles();
    const logs = this.runs().flatMap((run) => {
      const { damage } = verifyLog({ files, folder: this.#runFolder(run) });
      return damage && run !== this.damaged ? [`${run}: ${damage.message}`] : [];
    });
    const peek = Peek.open(files, this.root);
    const open = [...peek.unfinished(), ...peek.strayStages()].map((id) => `changeset ${id} is half done`);
    peek.close();
    const { damage } = verifyHistory(files, this.root);
    const landing = this.happened("landing_prepared").length;
    const ended = this.happened("run_landed").length + this.happened("landing_undone").length;
    return [
      ...logs,
      ...open,
      ...(damage ? [`documents: ${damage.message}`] : []),
      ...(landing === ended ? [] : ["a landing did not end"]),
      ...this.#gitTrouble(),
      ...this.#leftovers(),
    ];
  }

  /** Missing or broken objects, locks, and files whose index entry differs from HEAD. */
  #gitTrouble(): string[] {
    const { PATH = "" } = process.env;
    const git = (...args: string[]) => {
      try {
        return execFileSync("git", args, { cwd: this.root, env: { PATH, ...this.env }, encoding: "utf8" });
      } catch (error) {
        return `git ${args[0]}: ${String(error)}`;
      }
    };
    const fsck = git("fsck", "--full", "--no-dangling", "--no-progress");
    const changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!.coxswain");
    const locks = readdirSync(join(this.root, ".git")).filter((name) => name.endsWith(".lock"));
    return [fsck, changed, ...locks].filter((text) => text.trim() !== "");
  }

  #leftovers(): string[] {
    const below = join(this.cache, "coxswain/repositories");
    return readdirSync(below).flatMap((key) =>
      readdirSync(join(below, key, "scratch")).map((name) => `scratch/${name} was left`),
    );
  }
}

const copying = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true } as const;
