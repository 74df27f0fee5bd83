/**
 * `npm run sim`: runs the crash model for as long as you like, and writes the page with its results.
 *
 *     npm run sim -- --states 10000000 --seed 7    many more states than `npm test` examines
 *     npm run sim -- --write                       every mistake against every layer, into docs/how-we-test.md
 *     npm run sim -- --write documents             only those of the documents
 */
import { parseArgs } from "node:util";
import { Changesets } from "../../src/changeset/changesets.ts";
import { grouped } from "../../src/std/counted.ts";
import { explore, thoroughly } from "./explore.ts";
import { sequences, singleChangesets } from "./scenarios.ts";
import { matrices } from "./write-matrix.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    states: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});

if (values.write) await writeMatrices(positionals.length > 0 ? positionals : Object.keys(matrices));
else await exploreLong(Number(values.states), Number(values.seed));

async function exploreLong(wanted: number, firstSeed: number): Promise<void> {
  let states = 0;
  for (let seed = firstSeed; states < wanted; seed++)
    for (const scenario of [...singleChangesets, ...sequences]) {
      const explored = await explore({ ...thoroughly, program: Changesets, scenario, seed });
      states += explored.states;
      say(`seed ${seed}: ${scenario.name}: ${grouped(states)} states, no promise broken`);
    }
}

async function writeMatrices(names: readonly string[]): Promise<void> {
  for (const name of names) {
    const write = matrices[name];
    if (!write) throw new Error(`there is no matrix of ${name}: ${Object.keys(matrices).join(", ")}`);
    await write(say);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
