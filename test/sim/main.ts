/**
 * `npm run sim:run`: plays whole runs by seed.
 *
 *     node dist/test/sim/main.js --seed 4711                 one run, reported line by line
 *     node dist/test/sim/main.js --seeds 100000 --from 1     many, until one fails; how often each word was reached, and
 *                                                            by which seed first
 *                       … --until-said "command withdraw"    … or until this was reached
 *     node dist/test/sim/main.js --hunt limits,budget        which of these are found broken, and by which seed
 *     node dist/test/sim/main.js --write                     every sown mistake, into docs/how-we-test.md
 */
import { parseArgs } from "node:util";
import { Coverage } from "./coverage.ts";
import { replayLine } from "./failed-seeds.ts";
import { type Hunted, hunt } from "./hunt.ts";
import { simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "1" },
    "until-said": { type: "string", multiple: true, default: [] },
    hunt: { type: "string" },
    write: { type: "boolean", default: false },
  },
});
const wanted = { from: Number(values.from), count: Number(values.seeds) };

if (values.seed !== undefined) await tell(Number(values.seed));
else if (values.hunt !== undefined)
  say(JSON.stringify((await hunt({ ...wanted, until: values.hunt })) satisfies Hunted));
// Loaded only here, because it loads the compiler, and a hunt is started for each mistake.
else if (values.write) await (await import("./write-mistakes.ts")).writeMistakes(say);
else await runMany();

async function tell(seed: number): Promise<void> {
  const log: string[] = [];
  const { outcome, steps, events, violation } = await simulate(seed, new Coverage(), log);
  for (const line of log) say(line);
  say(violation ? violation.message : `${outcome} after ${steps} steps, ${events} events`);
  if (violation) process.exitCode = 1;
}

async function runMany(): Promise<void> {
  const coverage = new Coverage();
  const began = process.cpuUsage();
  const sums = { seeds: 0, steps: 0, events: 0 };
  const saidFirst = new Map<string, number>();
  for (let seed = wanted.from; seed < wanted.from + wanted.count; seed++) {
    const { steps, events, violation } = await simulate(seed, coverage);
    sums.seeds += 1;
    sums.steps += steps;
    sums.events += events;
    for (const word of coverage.reached()) if (!saidFirst.has(word)) saidFirst.set(word, seed);
    if (violation) {
      say(`${violation.message}\n${replayLine(seed)}`);
      process.exitCode = 1;
      break;
    }
    const until = values["until-said"];
    if (until.length > 0 && until.every((word) => saidFirst.has(word))) break;
  }
  for (const [word, times] of coverage.rows())
    say(`${String(times).padStart(9)} ${String(saidFirst.get(word) ?? "never").padStart(9)} ${word}`);
  say(
    JSON.stringify({
      ...sums,
      missing: coverage.missing(),
      cpuMs: Math.round(process.cpuUsage(began).user / 1000),
    }),
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
