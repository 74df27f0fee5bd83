/**
 * An agent that tries everything at its desk: none of it affects the user, the run or another agent. Whatever can be
 * detected is named in the log.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, type TestContext, test } from "vitest";
import { holdsHere } from "../../src/world/sandbox/confine.ts";
import { unshare } from "../../src/world/sandbox/unshare.ts";
import { program } from "./program.ts";
import { type Logged, opensSeen, RunWorld } from "./run-world.ts";

/** Each task is a different attack. `$ROOT` is the user's checkout. */
const hostile = (root: string) => `cat > /dev/null
ROOT=${root}; COX="${process.execPath} ${program}"
done_now() { echo "$COX_TASK" > "$COX_TASK.txt"; echo "Done."; exit 0; }
case $COX_TASK in
  own-git)
    printf '#!/bin/sh\\ntouch "$HOME/seen/ran"\\n' > .git/evil; chmod +x .git/evil
    mkdir -p .git/hooks
    for hook in pre-commit post-checkout post-index-change reference-transaction; do cp .git/evil .git/hooks/$hook; done
    git config core.fsmonitor "$PWD/.git/evil"
    git config filter.evil.clean "$PWD/.git/evil"; echo '* filter=evil' > .git/info/attributes
    git commit -q --allow-empty -m mine; git branch -f main HEAD; git update-ref refs/heads/cox/$COX_RUN HEAD
    echo work > own-git.txt; git stash -q -u; git stash drop -q; rm -f "$HOME/seen/ran" ;;
  outside)
    for place in "$ROOT/stolen.txt" "$ROOT/.git/stolen" "$ROOT/.coxswain/config.yaml" "$ROOT/.coxswain/runs/$COX_RUN/events.jsonl" "$ROOT/plan.md" ../own-git/stolen.txt ../stolen.txt; do
      echo stolen >> "$place" && echo "$place" >> "$HOME/seen/written"
    done
    git -C "$ROOT" stash drop; git -C "$ROOT" config evil.key 1; git -C "$ROOT" update-ref -d refs/heads/kept
    git -C "$ROOT" reset -q --hard ;;
  ignored) echo yes > passes.ignored ;;
  edits)
if mkdir "$HOME/seen/edited"; then echo 'agents: {}' > .coxswain/config.yaml; sed -i 's/own-git/evil/' plan.md
    else git checkout HEAD -- .coxswain plan.md; fi ;;
  decides)
    $COX confirm q1 -C "$ROOT" > "$HOME/seen/decided" 2>&1; echo $? >> "$HOME/seen/decided"
    env -u COX_TURN $COX answer q1 yes -C "$ROOT" >> "$HOME/seen/decided" 2>&1; echo $? >> "$HOME/seen/decided"
    (env -u COX_TURN setsid sh -c 'sleep 0.2; '"$COX"' stop -C '"$ROOT"' > "$HOME/seen/decided-late" 2>&1; echo $? >> "$HOME/seen/decided-late"' &)
    while ! grep -q '^[0-9]*$' "$HOME/seen/decided-late" 2> /dev/null; do sleep 0.1; done ;;
  escapes)
    setsid sh -c 'while :; do echo alive > "$HOME/seen/alive"; sleep 0.2; done' > /dev/null 2>&1 < /dev/null &
    sleep 0.3 ;;
  spies)
    { env; cat /proc/*/environ | tr '\\0' '\\n'; ls -l /proc/self/fd; } > spies.txt 2> /dev/null; echo "Done."; exit 0 ;;
esac
done_now
`;

const plan = `---
verify: test -f README.md
audit-attempts: 2
active-developers: 4
---
## Tasks
- [ ] own-git
- [ ] outside
- [ ] ignored
  - Verify: test -f passes.ignored
- [ ] edits
- [ ] decides
- [ ] escapes
- [ ] spies
`;

const canaries = {
  AWS_SECRET_ACCESS_KEY: "canary-aws",
  GITHUB_TOKEN: "canary-github",
  COX_CANARY: "canary-cox",
};

describe("a hostile agent", () => {
  let world: RunWorld;
  let before: ReturnType<typeof userState>;
  let named: Logged[];
  const isConfined = holdsHere(unshare);

  beforeAll(async () => {
    world = RunWorld.kept({
      plan,
      agents: { dev: "" },
      config: opensSeen,
      files: { "README.md": "Here.\n", ".gitignore": "*.ignored\n" },
    });
    writeFileSync(join(world.folder, "agents/dev.sh"), hostile(world.root));
    world.git("branch", "kept");
    world.write({ "README.md": "Stashed.\n" });
    world.git("stash", "-q");
    world.write({ "README.md": "Not committed.\n" });
    before = userState(world);
    const { exitCode, stderr } = await world
      .with({
        env: canaries,
      })
      .cox("run", "plan.md", "--yes", "--no-input");
    // The task whose tests pass only because of an ignored file is never done.
    expect(exitCode, stderr).toBe(3);
    named = world.events().filter(({ event }) => event === "agent_overstepped");
  });

  const codesOf = (task: string) =>
    named.flatMap(({ data }) => (`${data.turn}`.startsWith(`${task}.`) ? [data.code] : []));

  test("PROC-21 that configures git, commits and moves refs at its desk affects only its desk, and is named", () => {
    expect(codesOf("own-git")).toEqual(
      expect.arrayContaining(["WS_HEAD_MOVED", "WS_GIT_CONFIG", "WS_GIT_HOOKS", "WS_GIT_REFS"]),
    );
    expect(world.show("own-git.txt")).toBe("own-git");
    expect(existsSync(join(world.home, "seen/ran"))).toBe(false);
    expect(world.git("log", "--format=%s", "--all")).not.toContain("mine");
  });

  test("that tries to write outside its desk changes nothing there", (context) => {
    needsConfinement(context);
    expect(userState(world)).toEqual(before);
    expect(existsSync(join(world.home, "seen/written"))).toBe(false);
    expect(world.logDamage()).toBeUndefined();
  });

  test("whose tests pass only because of an ignored file fails verification, and the file is named", () => {
    expect(world.eventsOf("verification_failed").map(({ work }) => work)).toMatchObject([
      { task: "ignored" },
      { task: "ignored" },
    ]);
    expect(codesOf("ignored")).toContain("WORK_IGNORED");
    expect(world.committedTasks()).not.toContain("ignored");
  });

  test("that edits configuration and plan at its desk has its reply refused, with both paths named", () => {
    const refused = world.eventsOf("reply_refused").filter(({ task }) => task === "edits");
    expect(refused.map(({ problems }) => problems)).toMatchObject([
      [
        { code: "PATH_PROTECTED", path: ".coxswain/config.yaml" },
        { code: "PLAN_PROTECTED", path: "plan.md" },
      ],
    ]);
    expect(world.committedTasks()).toContain("edits");
    expect(world.git("log", "--format=%s", `main..${world.branch}`, "--", ".coxswain", "plan.md")).toBe("");
  });

  test("that decides for a person is refused, however it hides its turn, and named", () => {
    const home = join(world.home, "seen");
    const decided = readFileSync(join(home, "decided"), "utf8");
    expect(decided.match(/AGENT_DECIDES/g)).toHaveLength(2);
    // A process that has left its parents cannot be told from a person; but what it may not write, it may not decide.
    if (isConfined)
      expect(readFileSync(join(home, "decided-late"), "utf8")).toMatch(
        /AGENT_DECIDES|EROFS|RUN_NOT_APPROVED/,
      );
    expect(codesOf("decides")).toContain("AGENT_DECIDES");
    for (const event of ["confirmation_given", "divine_response_received", "run_stopped"])
      expect(world.eventsOf(event)).toEqual([]);
  });

  test("that starts a process in a session of its own leaves no process behind", async () => {
    expect(world.processes()).toEqual([]);
    expect(world.committedTasks()).toContain("escapes");
  });

  test("that looks around finds none of the coordinator's secrets and open files", (context) => {
    needsConfinement(context);
    const seen = world.show("spies.txt");
    expect(seen).toContain("COX_TASK=spies");
    expect(seen).not.toMatch(/canary/);
    const files = [...seen.matchAll(/ \d+ -> (\/.*)$/gm)].map(([, path = ""]) => path);
    expect(files.filter((path) => path.startsWith(world.root))).toEqual([]);
  });

  function needsConfinement(context: TestContext): void {
    if (!isConfined) context.skip("this machine lets no user confine a program");
  }
});

/** The user's state: files, index, refs, stash, configuration. */
function userState(world: RunWorld) {
  const refs = world.git("for-each-ref", "--format=%(refname) %(objectname)");
  return {
    refs: refs.split("\n").filter((row) => !/^refs\/(coxswain|heads\/cox)\//.test(row)),
    stash: world.git("stash", "list"),
    config: world.read(".git/config"),
    ours: world.read(".coxswain/config.yaml"),
    status: world.git("status", "--porcelain"),
    readme: world.read("README.md"),
    plan: world.read("plan.md"),
    isStolen: existsSync(join(world.root, "stolen.txt")),
  };
}
