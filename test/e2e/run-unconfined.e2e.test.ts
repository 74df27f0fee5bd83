/**
 * Without a sandbox: an agent that leaves its desk is caught, and nothing of that turn is accepted. A user who keeps
 * working in their own checkout loses nothing.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { folderWith } from "./folder.ts";
import { RunWorld, type RunWorldOptions } from "./run-world.ts";
import { withoutLayers } from "./without-layers.ts";
import { withoutSandbox } from "./without-sandbox.ts";

const under = withoutSandbox();

beforeEach((context) => {
  if (!under) context.skip("a machine without a sandbox cannot be had here");
});

/** Also does `deed` in its first turn; then works as it should. */
const strays = (deed: string) => `cat > /dev/null
if mkdir "$HOME/strayed-$COX_TASK" 2> /dev/null; then
  ${deed}
  echo first > first.txt
fi
echo "$COX_TASK" > "$COX_TASK.txt"; echo "Done."
`;

function worldOf(deed: (root: string) => string, more: Partial<RunWorldOptions> = {}): RunWorld {
  const world = new RunWorld({
    plan: "---\nverify: test -f README.md\n---\n## Tasks\n- [ ] one\n",
    files: { "README.md": "Here.\n" },
    ...more,
  });
  writeFileSync(join(world.folder, "agents/dev.sh"), strays(deed(world.root)));
  return world;
}

const run = (world: RunWorld) =>
  world.with({ under: under ?? [] }).cox("run", "plan.md", "--yes", "--no-input");
const codesOf = (world: RunWorld, event: string) => world.eventsOf(event).map(({ code }) => code);

describe("an agent that leaves its desk without a sandbox", () => {
  const deeds: [string, (root: string) => string, string][] = [
    [
      "a hook",
      (root) => `mkdir -p ${root}/.git/hooks; echo evil > ${root}/.git/hooks/pre-commit`,
      "hooks/pre-commit",
    ],
    ["a setting of git", (root) => `git -C ${root} config alias.st '!touch "$HOME/ran"'`, ".git/config"],
    [
      "the attributes of git",
      (root) => `mkdir -p ${root}/.git/info; echo '* filter=x' > ${root}/.git/info/attributes`,
      "info/attributes",
    ],
    ["the copy of the plan", (root) => `echo more >> ${root}/.coxswain/runs/$COX_RUN/plan.md`, "plan.md"],
    [
      "a record of the run",
      (root) => `echo forged > ${root}/.coxswain/runs/$COX_RUN/turns/$COX_TURN/prompt.md`,
      "prompt.md",
    ],
    [
      "a file beside them",
      (root) => `echo {} > ${root}/.coxswain/runs/$COX_RUN/snapshot.json`,
      "snapshot.json",
    ],
  ];
  test.each(deeds)("PROC-20 and writes %s is detected, and its turn is rejected", async (_, deed, path) => {
    const world = worldOf(deed);
    const { exitCode, stderr } = await run(world);
    expect(exitCode, stderr).toBe(0);
    expect(codesOf(world, "agent_crashed")).toEqual(["WS_FOREIGN_WRITE"]);
    expect(world.eventsOf("outside_changed")).toMatchObject([
      { task: "one", items: [{ code: "WS_FOREIGN_WRITE", path: expect.stringContaining(path) }] },
    ]);
    expect(stderr).toMatch(/had its turn rejected: .*WS_FOREIGN_WRITE/);
    expect(world.committedTasks()).toEqual(["one"]);
    expect(() => world.show("first.txt")).toThrow();
    expect(world.read(".coxswain/runs/".concat(world.run, "/turns/one.1.2/prompt.md"))).toContain(
      "WS_FOREIGN_WRITE",
    );
  });

  test("has each turn rejected, until the task fails and says why", async () => {
    const world = worldOf(
      (root) => `echo $COX_TURN > ${root}/.git/hooks/pre-commit; rmdir "$HOME/strayed-one"`,
    );
    const { exitCode } = await run(world);
    expect(exitCode).toBe(3);
    expect(codesOf(world, "agent_crashed")).toEqual(Array(3).fill("WS_FOREIGN_WRITE"));
    expect(world.committedTasks()).toEqual([]);
    const { stdout } = await world.cox("why", "one");
    expect(stdout).toMatch(/3 turns in a row came to nothing/);
    expect(stdout).toContain(".git/hooks/pre-commit");
    expect(world.read(".git/hooks/pre-commit")).toBe("one.1.3\n");
  });

  test("and plants a git filter never gets it run", async () => {
    const filter = (root: string) =>
      `git -C ${root} config filter.evil.clean 'touch "$HOME/ran"; cat'; echo '* filter=evil' > ${root}/.gitattributes`;
    const world = worldOf(filter);
    await run(world);
    expect(codesOf(world, "agent_crashed")).toEqual(["WS_FOREIGN_WRITE"]);
    expect(existsSync(join(world.env.HOME ?? "", "ran"))).toBe(false);
  });

  test("and writes at the desk of a waiting task is detected", async () => {
    const asks = "SEEKING DIVINE CLARIFICATION\\nQuestion: which?\\nOptions: this | that\\n";
    const world = worldOf(
      () => `if [ $COX_TASK = one ]; then printf '${asks}'; exit; else echo forged > ../one/one.txt; fi`,
      { plan: "---\nverify: test -f README.md\nactive-developers: 1\n---\n## Tasks\n- [ ] one\n- [ ] two\n" },
    );
    const { exitCode } = await run(world);
    expect(exitCode).toBe(3);
    expect(world.eventsOf("outside_changed")).toMatchObject([
      { task: "two", items: [{ code: "WS_FOREIGN_WRITE", path: expect.stringMatching(/\/one\/one\.txt$/) }] },
    ]);
    expect(world.committedTasks()).toEqual(["two"]);
  });
});

describe("an agent's change to what the coordinator itself runs or obeys", () => {
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  /** Works as git does, and leaves a file that says so. */
  const planted = `printf '#!/bin/sh\\n: > "%s/ran"\\nexec ${real} "$@"\\n' "$HOME" > "$HOME/bin/git"; chmod +x "$HOME/bin/git"`;
  const ours = (name: string) =>
    `$(find ../../../.. -path '*/repositories/*' -name ${name} -not -path '*/desks/*')`;
  const filter = '[filter "evil"]\\n\\tclean = : > %s/ran; cat\\n';
  const setFilter = `for config in ${ours("config")}; do printf '${filter}' "$HOME" >> $config; done`;
  const useFilter = `for path in ${ours("attributes")}; do echo '* filter=evil' >> $path; done`;

  const runWithBin = (world: RunWorld, command: "run" | "resume") => {
    const env = { PATH: `${world.home}/bin:${process.env.PATH}` };
    const typed = command === "run" ? ["run", "plan.md", "--yes"] : ["resume"];
    return world.with({ under: under ?? [], env }).cox(...typed, "--no-input");
  };
  const ran = (world: RunWorld) => existsSync(join(world.home, "ran"));

  const deeds: [what: string, isGitThere: boolean, deed: string, code: string, path: string][] = [
    ["a git before the one in PATH", false, planted, "PROGRAM_CHANGED", "bin/git"],
    ["another git in the place of the one in PATH", true, planted, "PROGRAM_CHANGED", "bin/git"],
    ["a setting in our git directory", false, setFilter, "GIT_HOME_CHANGED", "config"],
    [
      "a clean filter in our git directory",
      false,
      `${setFilter}; ${useFilter}`,
      "GIT_HOME_CHANGED",
      "config",
    ],
    ["attributes in our git directory", false, useFilter, "GIT_HOME_CHANGED", "attributes"],
    [
      "a hook in our git directory",
      false,
      `for head in ${ours("HEAD")}; do mkdir $(dirname $head)/hooks; done`,
      "GIT_HOME_CHANGED",
      "hooks",
    ],
    [
      "a common folder for our git directory",
      false,
      `for head in ${ours("HEAD")}; do pwd > $(dirname $head)/commondir; done`,
      "GIT_HOME_CHANGED",
      "commondir",
    ],
  ];
  test.each(deeds)(
    "PROC-20 (%s) stops the run, is named, and is never run",
    async (_, isGitThere, deed, code, path) => {
      const world = worldOf(() => deed);
      mkdirSync(join(world.home, "bin"));
      if (isGitThere)
        writeFileSync(join(world.home, "bin/git"), `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 });
      const { exitCode, stdout, stderr } = await runWithBin(world, "run");
      expect(exitCode, stdout + stderr).not.toBe(0);
      expect(ran(world)).toBe(false);
      expect(world.committedTasks()).toEqual([]);
      const crashed = world.eventsOf("agent_crashed").map(({ message }) => String(message));
      expect(crashed.at(-1)).toMatch(new RegExp(`^${code}: .*${path}.*cox resume`));
      const { stdout: status } = await world.cox("status");
      expect(status).toContain(code);

      rmSync(join(world.home, "bin"), { recursive: true });
      const resumed = await runWithBin(world, "resume");
      expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
      expect(world.committedTasks()).toEqual(["one"]);
      expect(ran(world)).toBe(false);
    },
  );
});

describe("a change that a user could also have made during a run without a sandbox", () => {
  const edits = (root: string) =>
    `echo more >> ${root}/README.md; echo new > ${root}/notes.txt; git -C ${root} branch mine`;
  const changed = { code: "WS_OUTSIDE_CHANGED", message: expect.stringContaining("if that was not you") };

  test("is reported, and costs no turn", async () => {
    const world = worldOf(edits);
    const { exitCode, stdout, stderr } = await run(world);
    expect(exitCode, stderr).toBe(0);
    expect(codesOf(world, "agent_crashed")).toEqual([]);
    const [{ items = [] } = {}] = world.eventsOf("outside_changed");
    expect(items).toEqual(
      ["refs/heads/mine", "README.md", "notes.txt"].map((path) => ({ ...changed, path })),
    );
    expect(stdout).toContain("README.md changed while dev worked on one without a sandbox");
    expect((await world.cox("log", "--level", "1")).stdout).toContain("WS_OUTSIDE_CHANGED");
    expect(world.show("first.txt")).toBe("first");
    expect(world.read("notes.txt")).toBe("new\n");
  });

  test("fails the turn with `on-outside-change: fail`", async () => {
    const plan = "---\nverify: test -f README.md\non-outside-change: fail\n---\n## Tasks\n- [ ] one\n";
    const world = worldOf(edits, { plan });
    expect((await run(world)).exitCode).toBe(0);
    expect(codesOf(world, "agent_crashed")).toEqual(["WS_FOREIGN_WRITE"]);
    expect(() => world.show("first.txt")).toThrow();
  });

  test("is not reported for files that git ignores, and only reported for settings that git and editors write themselves", async () => {
    const world = worldOf(
      (root) => `echo x > ${root}/a.log; git -C ${root} config branch.main.vscode-merge-base origin/main`,
      { files: { "README.md": "Here.\n", ".gitignore": "*.log\n" } },
    );
    expect((await run(world)).exitCode).toBe(0);
    expect(codesOf(world, "agent_crashed")).toEqual([]);
    expect(world.eventsOf("outside_changed")).toMatchObject([
      { items: [{ code: "WS_OUTSIDE_CHANGED", path: expect.stringContaining(".git/config") }] },
    ]);
  });
});

test("a run says at its start that agents work without a sandbox, and so do log and status", async () => {
  const world = worldOf(() => ":");
  const { stderr } = await run(world);
  const words = "agents work without a sandbox here";
  expect(stderr).toContain(words);
  expect(world.eventsOf("confinement_found")).toEqual([{ holds: false }]);
  expect(world.eventsOf("outside_changed")).toEqual([]);
  for (const command of ["log", "status"]) expect((await world.cox(command)).stdout).toContain(words);
  expect(JSON.parse((await world.cox("status", "--json")).stdout)).toMatchObject({
    confined: false,
    outside: [],
  });
});

test("a run with a sandbox without layers says at its start what agents can still change, and so do log and status", async (context) => {
  const underNoLayers = withoutLayers(folderWith());
  if (!underNoLayers) return context.skip("this machine lets nobody lay overlays over each other");
  const world = worldOf(() => ":");
  const { exitCode, stderr } = await world
    .with({ under: underNoLayers })
    .cox("run", "plan.md", "--yes", "--no-input");
  expect(exitCode, stderr).toBe(0);
  const words = "agents are confined to their desks, but can change package caches permanently";
  expect(stderr).toContain(words);
  expect(world.eventsOf("confinement_found")).toEqual([{ holds: true, without_layers: true }]);
  for (const command of ["log", "status"])
    expect((await world.cox(command)).stdout.replaceAll(/\s+/g, " ")).toContain(words);
  expect(await world.json("status")).toMatchObject({ confined: true, without_layers: true });
});

test("a run whose agents are confined to their desks says nothing about the sandbox", async (context) => {
  if (under?.length === 0) context.skip("this machine lets no user confine a program");
  const world = worldOf(() => ":");
  await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(world.eventsOf("confinement_found")).toEqual([]);
  expect((await world.cox("status")).stdout).not.toMatch(/sandbox|confined to their desks/);
});
