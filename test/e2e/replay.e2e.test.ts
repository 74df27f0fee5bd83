/** `cox replay`: a run as it was at any event. */
import { beforeAll, expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";
import { snapshot } from "./snapshot.ts";

const agent = `cat > /dev/null
if [ "$COX_TASK" = asks ]; then echo "SEEKING DIVINE CLARIFICATION: which port?"; exit; fi
echo done > done.txt
echo "READY FOR AUDIT: $COX_TASK"
`;

let world: RunWorld;

beforeAll(async () => {
  world = RunWorld.kept({
    plan: "# Two\n\n## Tasks\n\n- [ ] done\n- [ ] asks\n  - depends on: done\n",
    config: "verify: test -e done.txt\n",
    agents: { dev: agent },
  });
  expect((await world.cox("run", "plan.md", "--yes")).exitCode).toBe(3);
});

test("cox replay shows the state that the run had at each event, and writes nothing", async () => {
  const before = snapshot(`${world.root}/.coxswain`);
  const seqOf = (event: string) => world.events().find((one) => one.event === event)?.seq ?? 0;
  const begun = await world.json("replay", world.run, "--to", String(seqOf("run_started")));
  expect(begun).toMatchObject({
    last_seq: 1,
    counts: { done: 0, waiting: 2 },
    replayed: { event: "run_started" },
  });
  const committed = seqOf("task_complete") || seqOf("task_commit_recorded");
  expect(committed).toBeGreaterThan(1);
  const done = await world.json("replay", "--to", String(committed));
  expect(done).toMatchObject({ last_seq: committed, counts: { done: 1 }, questions: [], alive: true });
  const { at } = world.events().find(({ seq }) => seq === committed) ?? {};
  expect(done.replayed).toMatchObject({ seq: committed, of: world.events().length, at });
  expect(snapshot(`${world.root}/.coxswain`)).toEqual(before);
});

test("cox replay accepts every number of the log, and its count of done tasks never shrinks", async () => {
  const all = world.events().length;
  let lastDone = 0;
  for (const seq of [1, 2, Math.floor(all / 3), Math.floor(all / 2), all - 1, all]) {
    const { counts, last_seq } = await world.json("replay", "--to", String(seq));
    expect(last_seq).toBe(seq);
    expect(counts.done).toBeGreaterThanOrEqual(lastDone);
    lastDone = counts.done;
  }
});

test("cox replay without a number shows what cox status shows", async () => {
  const { replayed, ...now } = await world.json("replay");
  const { others: _, ...status } = await world.json("status");
  const ageless = (document: { questions: object[] }) => ({
    ...document,
    absent_ms: 0,
    questions: document.questions.map((one) => ({ ...one, asked_ms_ago: 0 })),
  });
  expect(ageless(now)).toEqual(ageless(status));
  expect(replayed.seq).toBe(world.events().length);
  const { stdout } = await world.cox("replay");
  expect(stdout).toContain(`The run as it was at event ${replayed.seq} of ${replayed.seq}\n`);
  expect(stdout).toContain((await world.cox("status")).stdout.split("\n")[0]);
});

test("the numbers of cox replay are those of cox log --numbers", async () => {
  const { stdout } = await world.cox("log", "--numbers", "--level", "3");
  const numbers = stdout
    .trimEnd()
    .split("\n")
    .map((line) => Number.parseInt(line, 10));
  expect(numbers).toEqual(world.events().map(({ seq }) => seq));
  const shown = await world.cox("replay", "--to", "1");
  expect(shown.stdout.split("\n")[1]).toBe(stdout.split("\n")[0]?.slice(6));
});

test.for([
  ["0", "--to is the number of an event, from 1 to"],
  ["many", 'not "many"'],
  ["1.5", 'not "1.5"'],
  ["999999", "there is no event 999999"],
] as const)("cox replay --to %s is refused with where to find the numbers", async ([to, words]) => {
  const { exitCode, stderr } = await world.cox("replay", "--to", to);
  expect(stderr).toContain(words);
  expect(stderr).toContain(`cox log ${world.run} --numbers`);
  expect(exitCode).toBe(2);
  expect((await world.json("replay", "--to", to)).errors).toMatchObject([{ code: "NO_EVENT" }]);
});

test("cox replay of an unknown run is refused", async () => {
  expect(await world.cox("replay", "nothing")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("NO_RUN"),
  });
});
