/**
 * `cox demo`: runs a plan with a scripted crew on a small repository made for it. Only the agents are simulated: the
 * plan, the repository, the tests, the commits and the commands are real, and stay there to be looked at.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { Commands } from "../../world/processes/commands.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";
import { demoApply } from "./demo-apply.ts";
import { DemoScene } from "./demo-scene.ts";

interface DemoPorts {
  readonly packageRoot: string;
  readonly commands: Commands;
}

export async function demo(door: CommandContext, { packageRoot, commands }: DemoPorts): Promise<ExitCode> {
  const [which] = door.words;
  if (which === "apply") return demoApply({ door, packageRoot });
  if (which !== undefined) return tellProblems(door, "demo", [unknown], exit.usage);
  const stage = new Stage({ door, packageRoot }, commands);
  try {
    await stage.build(join(packageRoot, "demo", "till"));
  } catch (error) {
    return tellProblems(door, "demo", [noRepository(error)], exit.notReady);
  }
  try {
    await play(stage);
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    if (door.signal.aborted) return exit.interrupted;
    return tellProblems(door, "demo", [error.problem], exit.refused);
  }
  return exit.done;
}

async function play(stage: Stage): Promise<void> {
  stage.title("1  A plan: six tasks for four agents and an auditor, in a small repository with tests");
  await stage.expect(exit.done, "check", "plan.md");

  stage.title("2  They work at the same time, each at a desk of its own; what passes becomes a commit");
  await stage.expect(exit.waiting, "run", "plan.md", "--yes", "--no-input");

  stage.title("3  One of them has a question. You answer, and the run continues");
  await stage.expect(exit.done, "answer", "q1", "on a line of its own");
  await stage.expect(exit.done, "resume", "--no-input");

  stage.title("4  Two of them had changed src/till.js at the same time: merged, and verified again");
  await stage.git("log", "--oneline", await stage.branch(), "--", "src/till.js");

  stage.title("5  Changed your mind? Roll a task back, and with it what was built on it");
  await stage.expect(exit.done, "rollback", "discount", "--cascade", "--yes");
  await stage.expect(exit.done, "status");

  stage.farewell();
}

const unknown: Problem = {
  code: "USAGE",
  message: "cox demo runs a plan; cox demo apply applies replies; there is no other demo",
  hint: "Type: cox demo",
};

function noRepository(error: unknown): Problem {
  const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  return {
    code: "DEMO_NO_REPOSITORY",
    message: `the demo's repository could not be created: ${why}`,
    hint: "git must be installed and the temporary folder must be writable; cox doctor checks both.",
  };
}

/** A command of the demo did not end as the story expects. */
class Surprise extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

class Stage extends DemoScene {
  readonly #repository = join(this.folder, "till");
  readonly #commands: Commands;

  constructor(scene: ConstructorParameters<typeof DemoScene>[0], commands: Commands) {
    super(scene);
    this.#commands = commands;
  }

  /** Drops git variables that point to another repository, and keeps the user's own state out of the demo. */
  override get environment(): NodeJS.ProcessEnv {
    const own = Object.entries(process.env).filter(([name]) => !/^GIT_(?!CONFIG)/.test(name));
    return {
      ...Object.fromEntries(own),
      XDG_CACHE_HOME: join(this.folder, "cache"),
      XDG_STATE_HOME: join(this.folder, "state"),
    };
  }

  async build(project: string): Promise<void> {
    cpSync(project, this.#repository, { recursive: true });
    await this.#git(["init", "--quiet", "--template=", "--initial-branch=main"]);
    await this.#git(["config", "user.name", "Demo"]);
    await this.#git(["config", "user.email", "demo@example.invalid"]);
    await this.#git(["add", "--all"]);
    await this.#git(["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", "A till"]);
  }

  async expect(expected: ExitCode, ...args: readonly string[]): Promise<void> {
    const code = await this.run(args, this.#repository);
    if (code === expected && !this.door.signal.aborted) return;
    throw new Surprise({
      code: "DEMO_SURPRISE",
      message: `cox ${args[0]} ended with exit ${code}, but the demo expected ${expected}`,
      hint: `Look at what happened: cox -C ${this.#repository} log – and please report it.`,
    });
  }

  async git(...args: readonly string[]): Promise<void> {
    const { terminal } = this.door;
    terminal.print(`${terminal.paint("cyan", `$ git ${args.join(" ")}`)}\n`);
    terminal.print(await this.#git(args));
  }

  async branch(): Promise<string> {
    return (await this.#git(["for-each-ref", "--format=%(refname:short)", "refs/heads/cox"])).trim();
  }

  farewell(): void {
    const { terminal } = this.door;
    const command = (words: string) => terminal.paint("cyan", words.padEnd(16));
    terminal.print(`
Everything is in ${terminal.paint("bold", this.#repository)} and stays there. Go there and try
  ${command("cox log")} what happened, line by line
  ${command("cox why points")} why a task is where it is
  ${command("cox diff tax")} what a task changed
  ${command("cox resume")} do the reverted tasks again
  ${command("cox land")} bring the commits onto your branch
Then your own: ${terminal.paint("cyan", "cox init")}, in your repository
`);
  }

  async #git(args: readonly string[]): Promise<string> {
    const environment = Object.fromEntries(
      Object.entries(this.environment).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const { code, stdout, stderr } = await this.#commands.run({
      argv: ["git", ...args],
      folder: this.#repository,
      environment,
      bytesMax: 1 << 20,
    });
    if (code !== 0) throw new Error(`git ${args[0]} ended with exit code ${code}: ${stderr}`);
    return decodeUtf8(stdout) ?? "";
  }
}
