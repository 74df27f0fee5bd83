/** The figures as text: ratios first, because times say more about the machine than about the program. */
import type { Compared, Result } from "./race.ts";
import type { Spread } from "./statistics.ts";

export function reportLines({ workload, rounds, times, compared }: Result): string[] {
  return [
    `${workload.name}: ${workload.work} (${rounds} rounds)`,
    ...times.map(({ contestant, ms }) => `  ${contestant.padEnd(24)} ${inMs(ms)}`),
    ...compared.map((comparison) => `  ${claim(comparison)}: ${inTimes(comparison)}${verdict(comparison)}`),
    ...(workload.notes?.() ?? []).map((note) => `  ${note}`),
  ];
}

export function claim({ slow, fast }: Compared): string {
  return `${slow} / ${fast}`;
}

export function inTimes({ ratio }: Compared): string {
  return `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`;
}

export function inMs({ median, min, max }: Spread): string {
  return `${median.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`;
}

export function targetOf({ target }: Compared): string {
  if (!target) return "";
  return "atMost" in target ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
}

function verdict(comparison: Compared): string {
  if (comparison.met === undefined) return "";
  return `, wanted ${targetOf(comparison)}: ${comparison.met ? "met" : "MISSED"}`;
}
