/** How often git is started: each start costs some milliseconds, in every task of every run. */
import { readFileSync, rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CommitId, TreeId } from "../std/object-id.ts";
import { nodeFolderTrees } from "../world/folders/node-folder-trees.ts";
import type { Commands } from "../world/processes/commands.ts";
import { nodeCommands } from "../world/processes/node-commands.ts";
import { openRepository } from "./open-repository.ts";
import { put, type RealWorld, realWorld } from "./real-world.contract.ts";
import type { DeskRequest, Repository } from "./repository.ts";

let world: RealWorld;
let repository: Repository;
let base: CommitId;
let tree: TreeId;
let started: string[] = [];

beforeEach(async () => {
  world = await realWorld({ prepare: ({ root }) => put(`${root}/.coxswain/config.yaml`, "agents: {}\n") });
  repository = await opened();
  base = (await repository.head()).commit;
  tree = await repository.treeOf(base);
});
afterEach(() => world.end());

const counting: Commands = {
  run(command) {
    started.push(commandOf(command.argv));
    return nodeCommands.run(command);
  },
  open(command) {
    started.push(`${commandOf(command.argv)} stays`);
    return nodeCommands.open(command);
  },
};

/** Skips the settings that are passed with every command. */
function commandOf(argv: readonly string[]): string {
  return argv.find((word, at) => at > 0 && word !== "-c" && argv[at - 1] !== "-c") ?? "";
}

async function opened(): Promise<Repository> {
  const environment = { PATH: process.env.PATH, HOME: `${world.folder}/home`, GIT_CONFIG_NOSYSTEM: "1" };
  const answer = await openRepository(
    { commands: counting, trees: nodeFolderTrees },
    { root: world.root, cache: world.cache, environment },
  );
  if ("problem" in answer) throw new Error(answer.problem.message);
  return answer.repository;
}

async function asking<Answer>(work: () => Promise<Answer>): Promise<{ answer: Answer; asked: string[] }> {
  started = [];
  const answer = await work();
  return { answer, asked: started };
}

const desk = (name: string, more: Partial<DeskRequest> = {}) =>
  repository.openDesk({ run: "r1", name, base, tree, keep: false, ...more });
const facts = { message: "Do it", author: { name: "A", email: "a@example.invalid" }, time: 1 };

test("a repository is opened with four git processes, and a run begins with one more", async () => {
  const { answer, asked } = await asking(opened);
  expect(asked).toEqual(["version", "rev-parse", "config", "ls-tree"]);
  expect((await asking(() => answer.beginRun("r1", base))).asked).toEqual(["update-ref"]);
});

/** From its desk to its commit. */
async function doTask(name: string, onto: CommitId): Promise<CommitId> {
  const from = await repository.treeOf(onto);
  const work = await desk(name, { base: onto, tree: from });
  world.put(work, "src/a.ts", `ONE ${name}\n`);
  world.put(work, `${name}.ts`, "new\n");
  const captured = await repository.capture(work, from);
  await repository.pin("r1", `work-${name}`, captured.tree);
  const checked = await desk("verify", { tree: captured.tree, purpose: "verify" });
  await repository.capture(checked, captured.tree);
  await repository.closeDesk(checked);
  const committed = await repository.commitTree({ ...facts, tree: captured.tree, parents: [onto] });
  await repository.advance("r1", { from: onto, to: committed });
  return committed;
}

const sixOfEach = [
  ...["read-tree", "check-ignore", "update-index", "write-tree"],
  ...["read-tree", "update-index"],
];

test("the first task of a run starts four processes that stay; each task starts git six times", async () => {
  await repository.beginRun("r1", base);
  const first = await asking(() => doTask("a", base));
  const staying = first.asked.filter((command) => command.endsWith(" stays"));
  expect(staying).toEqual(
    ["diff-tree", "cat-file", "update-ref", "hash-object"].map((one) => `${one} stays`),
  );
  expect(first.asked.filter((command) => !command.endsWith(" stays"))).toEqual(sixOfEach);
  const second = await asking(() => doTask("b", first.answer));
  expect(second.asked).toEqual(sixOfEach);
});

test("an auditor is shown the captured changes without asking git again", async () => {
  const work = await desk("a");
  world.put(work, "src/a.ts", "ONE\n");
  const captured = await repository.capture(work, tree);
  const { answer, asked } = await asking(() => repository.changes(tree, captured.tree));
  expect(answer.changes).toEqual(captured.changes);
  expect(asked).toEqual([]);
});

test("several desks of a new tree opened at once start one process to list it", async () => {
  const work = await desk("a");
  rmSync(`${work.folder}/src/a.ts`);
  const captured = await repository.capture(work, tree);
  repository = await opened();
  const { asked } = await asking(() =>
    Promise.all(["b", "c", "d"].map((name) => desk(name, { tree: captured.tree }))),
  );
  expect(asked.filter((command) => command === "ls-tree")).toHaveLength(1);
});

test("a landing that goes forward starts git eight times to be planned, six times to be planned again, and four to be done", async () => {
  await repository.beginRun("r1", base);
  const work = await desk("a");
  world.put(work, "src/a.ts", "ONE\n");
  const captured = await repository.capture(work, tree);
  const tip = await repository.commitTree({ ...facts, tree: captured.tree, parents: [base] });
  await repository.advance("r1", { from: base, to: tip });
  repository = await opened();

  const first = await asking(() => repository.planLanding(tip));
  expect(first.asked).toHaveLength(8);
  const second = await asking(() => repository.planLanding(tip));
  expect(second.asked).toHaveLength(6);
  const plan = second.answer;
  if (plan.kind !== "possible") throw new Error(plan.kind);
  world.userPut("src/a.ts", "ONE\n");
  const { asked } = await asking(() => repository.land({ from: plan.from, to: tip }));
  expect(asked).toEqual(["rev-parse", "read-tree", "update-ref", "update-index"]);
});

test("a git that is killed in mid-answer is asked again, and nothing of the change is missing", async () => {
  const work = await desk("a");
  const large = "0123456789abcdef".repeat(4 << 20);
  world.put(work, "large.txt", large);
  const captured = await repository.capture(work, tree);
  killOwnGit("--batch-command");
  repository = await opened();
  started = [];
  const answer = repository.changes(tree, captured.tree);
  for (let killedOnes = 0; killedOnes === 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    killedOnes = killOwnGit("--batch-command");
  }
  const [change] = (await answer).changes;
  expect(change?.post?.size).toBe(large.length);
  expect(started.filter((command) => command === "cat-file stays")).toHaveLength(2);
});

/** Kills the git processes that this process started with that argument; returns how many. */
function killOwnGit(argument: string): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").split(" ");
  const wanted = children.filter(
    (pid) => pid !== "" && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(argument),
  );
  for (const pid of wanted) process.kill(Number(pid), "SIGKILL");
  return wanted.length;
}
