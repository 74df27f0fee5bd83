/** `cox completion`: real shells complete the real program, and no name chosen by others is ever run. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, type TestContext, test } from "vitest";
import { offeredSettingKeys, settingShape } from "../../src/plan/settings.ts";
import { program } from "./program.ts";
import { RunWorld } from "./run-world.ts";

const hostile = "a b$(touch ran)`touch ran`;touch ran;'\"";
const agent = 'cat > /dev/null\necho "SEEKING DIVINE CLARIFICATION: which port?"\n';

let world: RunWorld;
let env: Record<string, string>;
let run: string;

beforeAll(async () => {
  world = RunWorld.kept({
    plan: "# A plan\n\n## Tasks\n\n- [ ] Größe messen\n- [ ] build it\n",
    config: "verify: 'true'\n",
    agents: { dev: agent, tester: agent },
  });
  expect((await world.cox("run", "plan.md", "--yes", "--agent", "dev")).exitCode).toBe(3);
  run = world.run;
  world.write({ [`${hostile}.md`]: "", "notes.txt": "", "sub/x.md": "" });
  // A folder that somebody made by hand long ago: its contents are taken for a run.
  const planted = `.coxswain/runs/${hostile}/events.jsonl`;
  world.write({ [planted]: "" });
  utimesSync(join(world.root, planted), 1, 1);
  const bin = join(world.folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "cox"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(bin, "cox"), 0o755);
  env = { ...world.env, PATH: `${bin}:${process.env.PATH}`, LC_ALL: "C.UTF-8", TERM: "dumb" };
});

function shell(name: string, ...args: string[]) {
  const ended = spawnSync(name, args, { cwd: world.root, env, encoding: "utf8", timeout: 100_000 });
  return { stdout: ended.stdout, stderr: ended.stderr, status: ended.status };
}

function needs(name: string, context: TestContext): void {
  if (spawnSync(name, ["--version"]).status !== 0) context.skip(`${name} is not installed`);
}

const inBash = `source <(cox completion bash)
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_cox
for word in "\${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done`;

/** What bash would offer for the last of these words. */
function offered(...words: string[]): string[] {
  const { stdout, stderr, status } = shell("bash", "--norc", "-c", inBash, "bash", "cox", ...words);
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.split("\n").slice(0, -1);
}

test.for([
  [["sta"], ["status", "stats"]],
  [["turn-s"], []],
  [["status", "--wat"], ["--watch"]],
  [["run", "--active-d"], ["--active-developers"]],
  [
    ["run", "--land", ""],
    ["ask", "auto", "never"],
  ],
  [["run", "--land", "=", "au"], ["auto"]],
  [
    ["run", "--land", "="],
    ["ask", "auto", "never"],
  ],
  [
    ["check", "plan.md", "--verify_base", ""],
    ["true", "false"],
  ],
  [["run", "--agent", "te"], ["tester"]],
  [
    ["log", "--level", ""],
    ["1", "2", "3"],
  ],
  [["log", "--task", "bu"], ["build-it"]],
  [
    ["why", ""],
    ["größe-messen", "build-it"],
  ],
  [["-C", ".", "why", "bu"], ["build-it"]],
  [["task", "st"], ["start"]],
  [["agents", "test", "de"], ["dev"]],
  [["agents", "test", "clau"], ["claude-code"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["workflows", "bug-"], ["bug-hunt"]],
  [["apply", "--writes", ""], []],
] as const)("bash completes %j with the choices there are", ([words, all]) => {
  expect(offered(...words)).toEqual(all);
});

test("completion offers the runs, questions and plans of the repository", async () => {
  expect(offered("status", "a-plan")).toEqual([run]);
  expect(offered("resume", "a-plan")).toEqual([run]);
  const { questions } = await world.json("questions", run);
  const ids = questions.map(({ question }: { question: string }) => question);
  expect(ids).toHaveLength(2);
  expect(offered("confirm", "--run", run, "")).toEqual(ids);
  expect(offered("run", "pl")).toEqual(["plan.md"]);
  expect(offered("check", "")).toEqual(expect.arrayContaining(["sub", "plan.md", `${hostile}.md`]));
  expect(offered("run", "no")).toEqual([]);
  expect(offered("apply", "no")).toEqual(["notes.txt"]);
});

test("completion offers every setting by its name, and its choices by theirs", async () => {
  const { stdout } = await world.cox("complete", "--", "run", "--");
  for (const key of offeredSettingKeys) {
    expect(stdout).toMatch(new RegExp(`^--${key}$`, "m"));
    const values = (await world.cox("complete", "--", "run", `--${key}=`)).stdout.split("\n").slice(1, -1);
    const { choices } = settingShape(key);
    if (choices.length > 0) expect(values).toEqual(choices.map((choice) => `--${key}=${choice}`));
  }
});

test("bash quotes a hostile name that it completes, so running the line runs nothing of it", () => {
  const script = `${inBash}
eval "set -- \${COMPREPLY[0]}"
printf '%s|' "$@"`;
  const { stdout, status } = shell("bash", "--norc", "-c", script, "bash", "cox", "status", "a b");
  expect(status).toBe(0);
  expect(stdout.split("\n").at(-1)).toBe(`${hostile}|`);
  for (const words of [
    ["run", "a"],
    ["status", ""],
    ["log", hostile],
    ["why", "--run", hostile, ""],
    [hostile, hostile],
  ])
    offered(...words);
  expect(offered("status", "'a b"), "inside of a quote").toEqual([]);
  expect(existsSync(join(world.root, "ran"))).toBe(false);
});

test.for([
  ["nothing", []],
  ["an unknown command", ["frobnicate", ""]],
  ["a folder that is not there", ["-C", "/nowhere", "why", ""]],
  ["a run that is not there", ["why", "--run", "nothing", ""]],
  ["an option that is none", ["run", "--frob", ""]],
  ["a value that is cut off", ["run", "--agent="]],
  ["what would be help", ["--help"]],
  ["control characters", ["\u001b[2J", "\n"]],
] as const)("cox complete never fails and prints nothing but completions: %s", async ([, words]) => {
  const { exitCode, stderr, stdout } = await world.cox("complete", "--", ...words);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(stdout).toMatch(/^((words|plans|files|folders)\n|$)/);
});

test("cox complete leaves out what a damaged configuration or log hides, and reports no error", async () => {
  const broken = new RunWorld({
    plan: "## Tasks\n- [ ] one\n",
    files: { ".coxswain/config.yaml": "agents: [" },
  });
  broken.write({ ".coxswain/runs/x/events.jsonl": "{", ".coxswain/runs/x/plan.md": "## Tasks\n- [ ] one\n" });
  for (const words of [
    ["run", "--agent", ""],
    ["answer", ""],
  ]) {
    const { exitCode, stderr, stdout } = await broken.cox("complete", "--", ...words);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(/^(words\n|$)/);
  }
});

test("cox completion for an unknown shell names the shells there are", async () => {
  expect(await world.cox("completion", "tcsh")).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringContaining("cox completion bash|zsh|fish"),
  });
});

test("zsh completes on its line editor, and quotes what it inserts", (context) => {
  needs("zsh", context);
  const out = join(world.folder, "zsh-line");
  const tries = [
    ["cox run --land au", "cox run --land auto "],
    ["cox run --land=au", "cox run --land=auto "],
    ["cox why bu", "cox why build-it "],
    ["cox log --task bu", "cox log --task build-it "],
    ["cox run pl", "cox run plan.md "],
    ["cox status a\\\\ b", undefined],
  ] as const;
  const lines = tries.map(([typed]) => {
    const script = `zmodload zsh/zpty
zpty -b z zsh -f -i
zpty -w z 'PS1=; autoload -U compinit; compinit -u -D; bindkey "^I" complete-word; keep() { print -r -- "$BUFFER" > ${out}; exit 0 }; zle -N keep; bindkey "^X" keep; source <(cox completion zsh); print READY$((1+1))'
zpty -r z line '*READY2*'
zpty -w -n z $'${typed}\\t\\x18'
while zpty -t z 2>/dev/null; do zpty -r -t z line 2>/dev/null; sleep 0.05; [[ -s ${out} ]] && break; done
zpty -d z`;
    writeFileSync(out, "");
    const { status, stderr } = shell("zsh", "-f", "-c", script);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return readFileSync(out, "utf8").trimEnd();
  });
  expect(lines.slice(0, -1)).toEqual(tries.slice(0, -1).map(([, line]) => line?.trimEnd()));
  const check = shell("zsh", "-f", "-c", `print -r -- "\${(Q)\${(z)1}[3]}"`, "zsh", lines.at(-1) ?? "");
  expect(check.stdout).toBe(`${hostile}\n`);
  expect(existsSync(join(world.root, "ran"))).toBe(false);
});

test("fish offers the same completions", (context) => {
  needs("fish", context);
  const words = (line: string) => {
    const script = `cox completion fish | source; complete -C '${line}'`;
    const { stdout, stderr, status } = shell("fish", "--no-config", "-c", script);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    return stdout
      .split("\n")
      .slice(0, -1)
      .map((row) => row.split("\t")[0]);
  };
  expect(words("cox sta")).toEqual(["stats", "status"]);
  expect(words("cox run --land=au")).toEqual(["--land=auto"]);
  expect(words("cox run --land ")).toEqual(["ask", "auto", "never"]);
  expect(words("cox why bu")).toEqual(["build-it"]);
  expect(words("cox run pl")).toEqual(["plan.md"]);
  expect(words("cox status ")).toContain(hostile);
  expect(existsSync(join(world.root, "ran"))).toBe(false);
});
