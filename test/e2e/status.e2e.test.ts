/**
 * What is reported about a run is true, and the same inside and outside: during the run, after a kill, through a wait
 * and a pause.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Crew, held, work } from "./crew.ts";
import { program } from "./program.ts";
import { needsPseudoTerminal, onTerminal } from "./pseudo-terminal.ts";
import { RunWorld } from "./run-world.ts";

/** Its agent prints what it does four times a second, and none of that is recorded. */
const talkative = () =>
  new Crew({
    tasks: "- [ ] one",
    script: {
      default: [
        [
          ...Array.from({ length: 40 }, (_, at) => [{ action: `step ${at}.` }, { sleep: 250 }]).flat(),
          held("go"),
          ...work("$COX_TASK.txt"),
        ],
      ],
    },
    config: ["audit: none"],
  });

/** Runs a command elsewhere, a second later, and keeps its output. */
function elsewhere(crew: RunWorld, args: string, file: string): readonly string[] {
  return ["sh", "-c", `sleep 1; cd "${crew.root}" && "${process.execPath}" "${program}" ${args} > "${file}"`];
}

const stepIn = (text: string) => Number(/step (\d+)\./.exec(text)?.[1]);
/** The elapsed time in the live view's title or the second line of `cox status`, with or without a cost. */
const elapsedIn = (text: string) =>
  [...text.matchAll(/(?:(\d+)m)?(\d+)s(?: · [^·\n]*)? · \d of \d agents?/g)].map(
    ([, minutes = "0", seconds = "0"]) => 60 * Number(minutes) + Number(seconds),
  );

test("cox status is at most a second behind the live view, and after a kill its times never go back and ages keep growing", async (context) => {
  needsPseudoTerminal(context);
  const crew = talkative();
  const { root: cwd, env, folder } = crew;
  const seen = join(folder, "seen.txt");
  const reactions = [
    { when: "step 12.", run: elsewhere(crew, "status", seen) },
    { when: "step 24.", signal: "SIGKILL" as const },
  ];
  const { output, unused } = onTerminal(["run", "plan.md", "--yes"], { cwd, env, reactions });
  expect(unused).toBe(0);
  const status = readFileSync(seen, "utf8");
  expect(stepIn(status)).toBeGreaterThanOrEqual(12);
  expect(status).toMatch(/heard [01]s ago/);

  const shown = Math.max(...elapsedIn(output));
  const first = await crew.cox("status");
  expect(first.stdout).toMatch(/^interrupted · /m);
  expect(first.stdout).toMatch(/coordinator not running since \S+ \S+ UTC, \d+s ago/);
  expect(first.stdout).toMatch(/Left running\n.* step \d+\. +last heard \d+s ago/);
  expect(elapsedIn(first.stdout)[0]).toBeGreaterThanOrEqual(shown);
  // Within a second of its last output nobody can say whether it was still working.
  await sleep(1100);
  const { absent_ms, elapsed_ms, agents } = await crew.json("status");
  await sleep(1100);
  const later = await crew.json("status");
  expect(later.absent_ms).toBeGreaterThan(absent_ms + 1000);
  expect(later.agents[0].silent_ms).toBeGreaterThan(agents[0].silent_ms + 1000);
  expect(later.elapsed_ms).toBe(elapsed_ms);

  crew.release("go");
  const resumed = onTerminal(["resume"], { cwd, env, reactions: [{ when: "Land it now?", type: "n\n" }] });
  expect(resumed.exitCode, resumed.output).toBe(0);
  const times = elapsedIn(resumed.output);
  expect(times[0]).toBeGreaterThanOrEqual(Math.floor(elapsed_ms / 1000));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test("a run that ended with open questions is shown as waiting for you, and once answered as ready, never as interrupted", async () => {
  const asks =
    'if (!turn.endsWith(".1")) { write(task, "x"); say("READY FOR AUDIT: " + task); } else say("SEEKING DIVINE CLARIFICATION\\n\\nQuestion: Red or blue?");';
  const world = new RunWorld({
    plan: "---\naudit: none\n---\n## Tasks\n- [ ] one\n- [ ] two\n",
    agents: { dev: { node: asks } },
  });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(3);
  const waiting = await world.cox("status");
  expect(waiting.stdout).toMatch(/^plan · plan-\w+\nwaiting for you · /);
  expect(waiting.stdout).toContain("0 of 2 done · 2 for you\n");
  expect((await world.cox("status", "--all")).stdout).toMatch(/plan\.md +waiting for you .* 0 of 2 +2\n/);
  expect((await world.cox("answer", "q1", "red")).exitCode).toBe(0);
  const answered = await world.json("status");
  expect(answered).toMatchObject({ headline: { words: "ready to resume", command: "cox resume" } });
  expect(answered.counts.needs_you).toBe(answered.questions.length);
});

test("cox status --watch stays through a pause and a time without any process, and ends with a line when the run is over", async (context) => {
  needsPseudoTerminal(context);
  const crew = new Crew({
    tasks: "- [ ] one\n- [ ] two\n  - Depends-On: one",
    script: { default: [[{ action: "thinking" }, held("go"), ...work("$COX_TASK.txt")]] },
    config: ["audit: none"],
  });
  const { root: cwd, env } = crew;
  const running = crew.start("run", "plan.md", "--yes");
  await crew.recorded("agent_dispatched");
  const plain = crew.start("status", "--watch");
  const documents = crew.start("status", "--watch", "--json");
  await Promise.all(
    [plain, documents].map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve))),
  );
  expect((await crew.cox("pause")).exitCode).toBe(0);
  crew.release("go");
  expect((await running.ended).exitCode).toBe(4);
  const onScreen = onTerminal(["status", "--watch"], {
    cwd,
    env,
    reactions: [{ when: "No process is working on the run.", run: elsewhere(crew, "resume", "/dev/null") }],
  });
  expect(onScreen.exitCode).toBe(0);
  expect(onScreen.unused).toBe(0);
  expect(onScreen.output).toMatch(/paused[\s\S]*2 of 2 done[\s\S]*\nThe run is over: done\.\r?\n/);
  const [text, lines] = await Promise.all([plain.ended, documents.ended]);
  expect(text.stdout).toMatch(/No process is working on the run[\s\S]*\nThe run is over: done\.\n$/);
  const seen = lines.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(seen.map(({ status, alive }) => `${status} ${alive}`)).toContain("paused false");
  expect(seen.at(-1)).toMatchObject({ status: "finished", alive: false });
});

test("a plan that was done and landed is run again only when the user asks for it", async (context) => {
  needsPseudoTerminal(context);
  const appends = 'cat > /dev/null\necho "$COX_TURN" >> one.txt\necho "READY FOR AUDIT: $COX_TASK"\n';
  const plan = "---\naudit: none\n---\n## Tasks\n- [ ] one\n";
  const world = new RunWorld({ plan, agents: { dev: appends } });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(0);
  expect((await world.cox("land", "--yes")).exitCode).toBe(0);
  expect((await world.cox("approve", "plan.md", "--yes")).exitCode).toBe(0);
  const refused = await world.cox("run", "plan.md");
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toMatch(/RUN_LANDED_ALREADY[\s\S]*has landed on main[\s\S]*cox run plan\.md --new/);
  const { root: cwd, env } = world;
  const question = "Start a new run anyway?";
  const asked = onTerminal(["run", "plan.md"], { cwd, env, reactions: [{ when: question, type: "n\n" }] });
  expect({ code: asked.exitCode, unused: asked.unused }).toEqual({ code: 1, unused: 0 });
  expect((await world.json("status", "--all")).runs).toHaveLength(1);
  expect((await world.cox("run", "plan.md", "--new", "--yes")).exitCode).toBe(0);
  expect((await world.json("status", "--all")).runs).toHaveLength(2);
  world.write({ "plan.md": `${plan}- [ ] another\n` });
  expect((await world.cox("run", "plan.md", "--yes")).stderr).not.toContain("RUN_LANDED_ALREADY");
});
