/**
 * `npm run sim:run`: whole runs by seed.
 *
 *     node dist/test/sim/main.js --seed 4711            one run, told line by line
 *     node dist/test/sim/main.js --seeds 100000 --from 1     many, until one fails
 */
import { parseArgs } from "node:util";
import { Coverage } from "./coverage.ts";
import { replayLine } from "./replay-line.ts";
import { simulate } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string", default: "10000" },
    from: { type: "string", default: "1" },
    all: { type: "boolean", default: false },
  },
});

if (values.seed !== undefined) await tell(Number(values.seed));
else await runMany(Number(values.from), Number(values.seeds));

async function tell(seed: number): Promise<void> {
  const log: string[] = [];
  const { outcome, steps, events, violation } = await simulate(seed, new Coverage(), log);
  for (const line of log) say(line);
  say(violation ? `${violation.message}` : `${outcome} after ${steps} steps, ${events} events`);
  if (violation) process.exitCode = 1;
}

async function runMany(from: number, count: number): Promise<void> {
  const coverage = new Coverage();
  const outcomes = new Map<string, number>();
  const sums = { steps: 0, events: 0 };
  const failures = new Map<string, number[]>();
  const began = process.cpuUsage();
  for (let seed = from; seed < from + count; seed++) {
    const { outcome, steps, events, violation } = await simulate(seed, coverage);
    sums.steps += steps;
    sums.events += events;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (!violation) continue;
    const key = violation.message.replace(/\d+/g, "#").slice(0, 90);
    failures.set(key, [...(failures.get(key) ?? []), seed]);
    if (failures.get(key)?.length === 1) say(`seed ${seed}: ${violation.message}\n  ${replayLine(seed)}`);
    if (!values.all) break;
  }
  for (const [word, times] of coverage.rows()) say(`${String(times).padStart(9)} ${word}`);
  for (const [key, seeds] of failures) say(`${seeds.length} × ${key}: ${seeds.slice(0, 8).join(" ")}`);
  say(JSON.stringify({ ...Object.fromEntries(outcomes), ...sums, cpuMs: Math.round(process.cpuUsage(began).user / 1000) }));
  if (coverage.missing().length > 0) say(`never reached: ${coverage.missing().join(", ")}`);
  if (failures.size > 0) process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
