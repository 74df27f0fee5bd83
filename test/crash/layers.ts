/** The ways in which a program is tested, each small enough to run for every mistake. */
import { damageStages } from "./damage.ts";
import { editMeanwhile } from "./editor.ts";
import { type ExploreOptions, explore } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { Matrix } from "./matrix.ts";
import { holdPromises } from "./promises.ts";
import type { Program } from "./scenario.ts";
import { sequences, singleChangesets } from "./scenarios.ts";

export type LayerName = "promises" | "kill" | "ordered" | "weak" | "nested" | "faults" | "editor" | "damage";

type Layer = (program: Program) => Promise<unknown>;

export const layers: Readonly<Record<LayerName, Layer>> = {
  promises: holdPromises,
  kill: exploring({ modes: ["kill"] }),
  ordered: exploring({ modes: ["ordered"] }),
  weak: exploring({ modes: ["weak"], disksMax: 12 }),
  nested: exploring({ modes: ["kill"], nestedShare: 0.15, nestedDisksMax: 4, nestedModes: ["weak"] }),
  faults: eachOf((program, scenario) => loopFaults(program, scenario, { codes: ["EIO"], lastings: [false] })),
  editor: eachOf((program, scenario) => editMeanwhile(program, scenario)),
  damage: eachOf((program, scenario) => damageStages(program, scenario, { nestedShare: 0 })),
};

export const changesetsMatrix = new Matrix("changesets", Object.keys(layers) as LayerName[]);

function exploring(some: Partial<ExploreOptions> & Pick<ExploreOptions, "modes">): Layer {
  const rest = { disksMax: 25, nestedShare: 0, nestedDisksMax: 0, seed: 1 };
  return async (program) => {
    for (const scenario of [...singleChangesets, ...sequences])
      await explore({ ...rest, ...some, program, scenario });
  };
}

function eachOf(
  layer: (program: Program, scenario: (typeof singleChangesets)[number]) => Promise<unknown>,
): Layer {
  return async (program) => {
    for (const scenario of singleChangesets) await layer(program, scenario);
  };
}
