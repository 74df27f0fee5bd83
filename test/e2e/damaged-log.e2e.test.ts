/**
 * A damaged run log: every command that only reads notices what `cox resume` notices. It reports that first, shows what
 * comes before the damage, and exits as a resume would.
 */
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeAll, expect, test } from "vitest";
import { isCampaign, sized } from "../sized.ts";
import { readingCommands } from "./reading-commands.ts";
import { RunWorld } from "./run-world.ts";

interface Damage {
  readonly code: string;
  /** The exit code of `cox resume`. */
  readonly exit: number;
  spoil(log: string, head: string): void;
}

const damages: Readonly<Record<string, Damage>> = {
  "its end lost": {
    code: "LOG_LOST_TAIL",
    exit: 5,
    spoil: rewriting((lines) =>
      lines.slice(
        0,
        lines.findLastIndex((line) => line.includes("task_complete")),
      ),
    ),
  },
  "a line twice": {
    code: "LOG_CORRUPT",
    exit: 5,
    spoil: rewriting((lines) => [...lines, lines.at(-1) ?? ""]),
  },
  "a line missing": {
    code: "LOG_CORRUPT",
    exit: 5,
    spoil: rewriting((lines) => lines.filter((_, at) => at !== lines.length - 2)),
  },
  "another letter": {
    code: "LOG_CORRUPT",
    exit: 5,
    spoil: rewriting((lines) => lines.with(-3, lines.at(-3)?.replace("{", "[") ?? "")),
  },
  "nothing left": { code: "LOG_LOST_TAIL", exit: 5, spoil: (log) => writeFileSync(log, "") },
  "no log": { code: "LOG_LOST_TAIL", exit: 5, spoil: (log) => rmSync(log) },
};

function rewriting(change: (lines: string[]) => string[]) {
  return (log: string) => {
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    writeFileSync(log, `${change(lines).join("\n")}\n`);
  };
}

const agent = `cat > /dev/null
if [ "$COX_TASK" = asks ]; then echo "SEEKING DIVINE CLARIFICATION: which port?"; exit; fi
echo done > done.txt
echo "READY FOR AUDIT: $COX_TASK"
`;

let world: RunWorld;
const files = () => [world.path("events.jsonl"), world.path("head")] as const;

beforeAll(async () => {
  world = RunWorld.kept({
    plan: "# Two\n\n## Tasks\n\n- [ ] done\n- [ ] asks\n  - depends on: done\n",
    config: "verify: test -e done.txt\n",
    agents: { dev: agent },
  });
  const ended = await world.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(3);
  for (const path of files()) copyFileSync(path, `${path}.kept`);
  // The run is found by its log, so remember it before the log is damaged.
  const { run } = world;
  Object.defineProperty(world, "run", { value: run });
});

afterEach(() => {
  for (const path of files()) copyFileSync(`${path}.kept`, path);
});

const commands = Object.keys(readingCommands);
const tried = sized({
  sample: [
    ...commands.map((command) => [command, "its end lost"] as const),
    ...Object.keys(damages).map((damage) => ["status", damage] as const),
  ],
  campaign: commands.flatMap((command) => Object.keys(damages).map((damage) => [command, damage] as const)),
});

test.for(tried)("cox %s reports a damaged log: %s", async ([command, kind]) => {
  const { code, exit, spoil } = damages[kind] as Damage;
  spoil(...files());
  const args = readingCommands[command] ?? [];
  const shown = await world.with({ under: together }).cox(...args);
  expect(shown.exitCode, shown.stdout).toBe(exit);
  expect(shown.stdout).toMatch(new RegExp(`^✗ ${code}\\b`));
  const { stdout, exitCode } = await world.cox(...args, "--json");
  expect(exitCode).toBe(exit);
  const [first = ""] = stdout.split("\n");
  expect(JSON.parse(first)).toMatchObject({ ok: false, errors: [{ code }] });
});

test.for(sized({ sample: ["its end lost"], campaign: Object.keys(damages) }))(
  "cox resume refuses a damaged log: %s",
  async (kind) => {
    const { code, exit, spoil } = damages[kind] as Damage;
    spoil(...files());
    const { exitCode, stdout } = await world.cox("resume", "--json");
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({
      exitCode: exit,
      ok: false,
      errors: [{ code }],
    });
  },
);

/** `status --watch` would not end, because nothing is wrong with a run that waits. */
const withoutHead = isCampaign ? commands.filter((one) => one !== "status --watch") : ["status", "log"];
/** Ages change while we look. */
const ageless = (text: string) => text.replace(/(?:\d+m)?\d+s ago/g, "… ago");

test.for(withoutHead)("cox %s reports a missing head first, and does not call it damage", async (command) => {
  const args = readingCommands[command] ?? [];
  const before = await world.cox(...args);
  rmSync(world.path("head"));
  const shown = await world.with({ under: together }).cox(...args);
  expect({ exitCode: shown.exitCode, text: ageless(shown.stdout.replace(/^(.+\n){3}/, "")) }).toEqual({
    exitCode: 0,
    text: ageless(before.stdout),
  });
  expect(shown.stdout).toMatch(/^! LOG_UNWITNESSED\n/);
  const { stdout, exitCode } = await world.cox(...args, "--json");
  const [first = ""] = stdout.split("\n");
  expect({ exitCode, ...JSON.parse(first) }).toMatchObject({
    exitCode: 0,
    ok: true,
    warnings: [{ code: "LOG_UNWITNESSED" }],
  });
});

test("the state before the damage is shown below the damage report", async () => {
  damages["its end lost"]?.spoil(...files());
  const { stdout } = await world.with({ under: together }).cox("status");
  expect(stdout).toMatch(/^✗ LOG_LOST_TAIL[\s\S]*Two[\s\S]*done/);
  const document = await world.json("status");
  expect(document).toMatchObject({ ok: false, title: "Two", total: 2, errors: [{ code: "LOG_LOST_TAIL" }] });
  const lines = (await world.cox("log", "--json")).stdout.trim().split("\n");
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ seq: 1, event: "run_started" });
});

/** Both streams together, in the order a person sees them. */
const together = ["sh", "-c", 'exec "$@" 2>&1', "sh"];
