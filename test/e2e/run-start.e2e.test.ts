/** What the user sees before a run begins, and what happens when the same plan is run again. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

const weak =
  '---\nverify: "true"\naudit: none\nbudget: 5 USD, 40 turns\n---\n# Two\n\n## Tasks\n- [ ] one\n- [ ] two\n';
const works = 'cat > /dev/null\necho x > "$COX_TASK.txt"\necho "Done."\n';
/** Works until it is released. */
const patient = (release: string) =>
  `cat > /dev/null\nwhile [ ! -e ${release} ]; do sleep 0.1; done\necho x > "$COX_TASK.txt"\necho "Done."\n`;

function held(): { world: RunWorld; release: string } {
  const world = new RunWorld({ plan: weak, agents: { dev: "" } });
  const release = join(world.folder, "release");
  writeFileSync(join(world.folder, "agents/dev.sh"), patient(release));
  return { world, release };
}

const runsOf = (world: RunWorld) =>
  readdirSync(join(world.root, ".coxswain/runs")).filter((name) =>
    existsSync(join(world.root, ".coxswain/runs", name, "events.jsonl")),
  );

async function killed(world: RunWorld): Promise<void> {
  const begun = world.start("run", "plan.md", "--yes");
  onTestFinished(() => void begun.child.kill("SIGKILL"));
  while (world.findRun() === undefined || world.eventsOf("agent_started").length < 2) await sleep(20);
  begun.child.kill("SIGKILL");
  await begun.ended;
}

test("a plan with a mistyped field is refused with what was meant, and no run begins", async () => {
  const plan = `${weak}  - Depnds-On: one\n`;
  const world = new RunWorld({ plan, agents: { dev: works } });
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode).toBe(1);
  expect(stderr).toContain("PLAN_FIELD_TYPO");
  expect(stderr).toContain("Did you mean Depends-On?");
  expect(world.findRun()).toBeUndefined();
});

test("cox run reports warnings and uncommitted files also with --yes, --no-input and --json", async () => {
  const world = new RunWorld({ plan: weak, agents: { dev: works } });
  world.write({ "notes.txt": "mine\n", "plan.md": `${weak}\nMore.\n` });
  const waiting = await world.cox("run", "plan.md", "--no-input");
  const done = await world.cox("run", "plan.md", "--yes");
  for (const { stderr } of [waiting, done]) {
    expect(stderr).toContain("! PLAN_WEAK_VERIFY  plan.md:");
    const base = world.git("rev-parse", "HEAD").slice(0, 7);
    expect(stderr).toContain(
      `2 files are not committed: agents work from commit ${base} and do not see them: plan.md, notes.txt`,
    );
  }
  expect([waiting.exitCode, done.exitCode]).toEqual([3, 0]);
  const document = await world.json("run", "plan.md", "--yes", "--new");
  expect(document).toMatchObject({ ok: true, warnings: [{ code: "PLAN_WEAK_VERIFY" }] });
});

test("cox run shows tasks, agents, commands, commit, budget and warnings before it asks", (context) => {
  needsPseudoTerminal(context);
  const { root, env } = new RunWorld({ plan: weak, agents: { dev: works } });
  const reactions = [{ when: "Start?", type: "n\n" }];
  const { exitCode, output } = onTerminal(["run", "plan.md"], { cwd: root, env, reactions });
  expect(exitCode).toBe(1);
  const before = output.slice(0, output.indexOf("Start?"));
  for (const words of [
    "starts at ",
    "budget 5 USD, 40 turns",
    "2 tasks",
    "dev: developer",
    "PLAN_WEAK_VERIFY",
  ])
    expect(before).toContain(words);
  expect(before).toMatch(/agent dev +sh .*dev\.sh/);
});

test("cox run names an unfinished run of the plan instead of starting another, also with --yes; --new starts another", async () => {
  const { world, release } = held();
  await killed(world);
  const [first = ""] = runsOf(world);
  const { exitCode, stderr } = await world.cox("run", "plan.md", "--yes");
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `there is an unfinished run of this plan, ${first}: interrupted, 0 of 2 tasks done`,
  );
  expect(stderr).toContain(`cox resume ${first}`);
  expect(stderr).toContain("cox run plan.md --new");
  expect(runsOf(world)).toHaveLength(1);

  writeFileSync(release, "");
  expect((await world.cox("run", "plan.md", "--yes", "--new")).exitCode).toBe(0);
  expect(runsOf(world)).toHaveLength(2);
  const status = await world.cox("status");
  expect(status.stdout).toContain(`also open: ${first} (interrupted)`);
  const all = await world.cox("status", "--all");
  expect(all.stdout).toMatch(
    new RegExp(`^run +plan +stands .*\n\\S+ +plan\\.md +done .*2 of 2\n${first} +plan\\.md +interrupted`),
  );
  expect((await world.json("status", "--all")).runs).toMatchObject([
    { status: "finished", done: 2, total: 2 },
    { run: first, status: "running", alive: false },
  ]);
  const resumed = await world.cox("resume", first);
  expect(resumed.exitCode).toBe(0);
});

test("a command without a name is about the run that began last, whichever was active last, and says so", async () => {
  const { world, release } = held();
  await killed(world);
  const [first = ""] = runsOf(world);
  writeFileSync(release, "");
  expect((await world.cox("run", "plan.md", "--yes", "--new")).exitCode).toBe(0);
  const second = runsOf(world).find((run) => run !== first);
  // The older run is the one last written to.
  expect((await world.cox("pause", first)).exitCode).toBe(0);
  expect((await world.json("status")).run).toBe(second);
  expect((await world.cox("resume")).stderr).toContain(`This is ${second}, the newest run`);
});

test("a plan that is done and not landed is run again only after a yes", async () => {
  const world = new RunWorld({ plan: weak, agents: { dev: works } });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  const again = await world.cox("run", "plan.md");
  expect(again.exitCode).toBe(1);
  expect(again.stderr).toContain("RUN_DONE_ALREADY");
  expect(again.stderr).toContain("cox land ");
  const wanted = await world.cox("run", "plan.md", "--yes");
  expect(wanted.exitCode).toBe(0);
  expect(wanted.stderr).toContain("! RUN_DONE_ALREADY");
  expect(runsOf(world)).toHaveLength(2);
});

test("when six processes start one plan at once, exactly one run begins", async () => {
  const { world, release } = held();
  const starts = Array.from({ length: 6 }, () => world.start("run", "plan.md", "--yes", "--json"));
  onTestFinished(() => starts.forEach(({ child }) => void child.kill("SIGKILL")));
  let over = 0;
  for (const { ended } of starts) void ended.then(() => over++);
  while (over < 5) await sleep(20);
  writeFileSync(release, "");
  const codes = (await Promise.all(starts.map(({ ended }) => ended))).map(({ exitCode }) => exitCode);
  expect(codes.sort()).toEqual([0, 6, 6, 6, 6, 6]);
  expect(runsOf(world)).toHaveLength(1);
});

test("cox resume does not read a plan or configuration that changed since the run began, and says so", async () => {
  const { world, release } = held();
  await killed(world);
  writeFileSync(release, "");
  world.write({ "plan.md": `${weak}- [ ] three\n` });
  const config = world.read(".coxswain/config.yaml");
  world.write({ ".coxswain/config.yaml": `${config}active-developers: 1\n` });
  const { exitCode, stderr } = await world.cox("resume");
  expect(exitCode).toBe(0);
  expect(stderr).toContain("the plan and the configuration changed since the run ");
  expect(stderr).toContain("cox run plan.md --new");
});

test("a change that needs a yes can be looked at, and cox status says that the run waits for you", async () => {
  const deletes =
    'cat > /dev/null\ngit rm -q --ignore-unmatch old.txt\necho y > new.txt\necho x > "$COX_TASK.txt"\necho "Done."\n';
  const world = new RunWorld({
    plan: "---\nverify: test -f new.txt\naudit: none\n---\n## Tasks\n- [ ] one\n- [ ] two\n  - Needs: one\n",
    files: { "old.txt": "precious\n" },
    agents: { dev: deletes },
  });
  const ended = await world.cox("run", "plan.md", "--yes");
  expect(ended.exitCode).toBe(3);
  expect(ended.stdout).toMatch(/^\? waiting for you · 0 of 2 tasks/);
  expect(await world.json("status")).toMatchObject({
    status: "waiting",
    headline: { words: "waiting for you" },
  });
  expect((await world.cox("status")).stdout).toMatch(/\nwaiting for you · .*\n {2}cox questions\n/);
  expect((await world.cox("why", "two")).stdout).not.toContain("interrupted");
  expect((await world.cox("log")).stdout).toContain(
    "waiting for you: answer with cox questions, then cox resume",
  );
  const asked = await world.cox("questions");
  expect(asked.stdout).toContain("-precious");
  expect(asked.stdout).toContain("cox diff one");
  const shown = await world.cox("diff", "one");
  expect(shown.stdout).toContain("waits for your decision on q1");
  expect(shown.stdout).toContain("-precious");
  expect(shown.stdout).toContain("+y");
  expect(await world.json("diff", "one")).toMatchObject({ stands: "held", files: [{}, {}, {}] });
  expect((await world.cox("confirm", "q1")).exitCode).toBe(0);
  expect((await world.cox("resume")).exitCode).toBe(0);
});

test.each<[string, (world: RunWorld) => void, string]>([
  ["a sparse checkout", (world) => void world.git("config", "core.sparseCheckout", "true"), "GIT_SPARSE"],
  ["no commit", (world) => void world.git("update-ref", "-d", "HEAD"), "GIT_NO_COMMIT"],
  [
    "a shallow clone",
    (world) => writeFileSync(join(world.root, ".git/shallow"), `${world.git("rev-parse", "HEAD")}\n`),
    "GIT_SHALLOW",
  ],
  [
    "a file of Git LFS",
    (world) => {
      world.write({ ".gitattributes": "*.bin filter=lfs\n" });
      world.commitAll("lfs");
    },
    "GIT_LFS",
  ],
])("%s stops cox run, and cox doctor and cox check say so too", async (_what, make, code) => {
  const world = new RunWorld({ plan: weak, agents: { dev: works } });
  make(world);
  expect(await world.json("run", "plan.md", "--yes")).toMatchObject({ ok: false, errors: [{ code }] });
  const doctor = await world.cox("doctor");
  expect(doctor.exitCode).toBe(5);
  expect(doctor.stdout).toContain(`no run can start here (${code}): `);
  const check = await world.cox("check", "plan.md");
  expect(check.stdout).toContain(`! ${code}\n`);
  expect(check.stdout).toContain("plan.md is sound, 1 warning, but cannot be run here yet\n");
});
