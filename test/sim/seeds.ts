/**
 * Plays many seeds until one breaks something. It uses the compiled program, which is a fifth faster than the same
 * sources loaded by the test runner, and two processes, so that two cores are busy.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { repository } from "../crash/sow.ts";

/**
 * One seed for each word of the kernel's vocabulary that hardly any seed reaches. `npm run sim:run` prints the first
 * seed that reaches each word. A changed kernel may need others: then further seeds are played until one reaches it.
 */
const rareSeeds: readonly number[] = [
  1800, // event landing_undone
];

export interface Played {
  readonly seeds: number;
  /** Words of the kernel that were never reached. */
  readonly missing: readonly string[];
}

/**
 * Plays the first `count` seeds and the rare ones, then more, at most `countMax`, while words are missing. If something
 * breaks, it throws with what is broken and the command line that replays the run.
 */
export async function playSeeds(count: number, countMax: number): Promise<Played> {
  const half = Math.ceil(count / 2);
  const rare = rareSeeds.filter((seed) => seed > count);
  const played = together(
    await Promise.all([
      play({ from: 1, count: half }),
      play({ from: half + 1, count: count - half }),
      ...rare.map((seed) => play({ from: seed, count: 1 })),
    ]),
  );
  if (played.missing.length === 0 || count >= countMax) return played;
  return together([
    played,
    await play({ from: count + 1, count: countMax - count, untilSaid: played.missing }),
  ]);
}

function together(parts: readonly Played[]): Played {
  const [first, ...others] = parts;
  return {
    seeds: parts.reduce((sum, { seeds }) => sum + seeds, 0),
    missing: (first?.missing ?? []).filter((word) => others.every(({ missing }) => missing.includes(word))),
  };
}

interface Play {
  readonly from: number;
  readonly count: number;
  /** Ends when all of these words were reached. */
  readonly untilSaid?: readonly string[];
}

function play({ from, count, untilSaid = [] }: Play): Promise<Played> {
  const program = join(repository(), "dist/test/sim/main.js");
  const until = untilSaid.flatMap((word) => ["--until-said", word]);
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, "--from", `${from}`, "--seeds", `${count}`, ...until],
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${stdout}${stderr}` || error.message));
        else resolve(JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Played);
      },
    );
  });
}
