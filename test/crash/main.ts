/**
 * `npm run sim`: the crash model for as long as you like, and the page that tells what it found.
 *
 *     npm run sim -- --states 10000000 --seed 7    many more states than `npm test` looks at
 *     npm run sim -- --write                       every mistake against every layer, into docs/how-we-test.md
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Changesets } from "../../src/changeset/changesets.ts";
import { grouped } from "../../src/std/counted.ts";
import { explore, thoroughly } from "./explore.ts";
import { catches, type LayerName, layers } from "./layers.ts";
import { beginMark, endMark, type Row, table } from "./matrix.ts";
import { mistakes } from "./mistakes.ts";
import { sequences, singleChangesets } from "./scenarios.ts";
import { repository, sow } from "./sow.ts";

const { values } = parseArgs({
  options: {
    states: { type: "string", default: "1000000" },
    seed: { type: "string", default: "1" },
    write: { type: "boolean", default: false },
  },
});

if (values.write) await writeMatrix();
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

async function writeMatrix(): Promise<void> {
  const rows: Row[] = [];
  for (const mistake of mistakes) {
    const { program, remove } = await sow(mistake);
    const caught: LayerName[] = [];
    for (const layer of Object.keys(layers) as LayerName[])
      if (await catches(layer, program)) caught.push(layer);
    remove();
    rows.push({ mistake, caught });
    say(`${mistake.name}: ${caught.join(", ")}`);
  }
  const path = join(repository(), "docs/how-we-test.md");
  const page = readFileSync(path, "utf8");
  const before = page.slice(0, page.indexOf(beginMark) + beginMark.length);
  const after = page.slice(page.indexOf(endMark));
  writeFileSync(path, `${before}\n${table(rows)}${after}`);
  say(`written: ${path}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
