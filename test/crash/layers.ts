/** The ways in which a program is tried, each small enough to be run for every mistake. */
import { editMeanwhile } from "./editor.ts";
import { type Exploring, explore } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { Matrix } from "./matrix.ts";
import { holdPromises } from "./promises.ts";
import type { Program } from "./scenario.ts";
import { sequences, singleChangesets } from "./scenarios.ts";

export type LayerName = "promises" | "kill" | "ordered" | "weak" | "nested" | "faults" | "editor";

type Layer = (program: Program) => Promise<unknown>;

export const layers: Readonly<Record<LayerName, Layer>> = {
  promises: holdPromises,
  kill: exploring({ modes: ["kill"] }),
  ordered: exploring({ modes: ["ordered"] }),
  weak: exploring({ modes: ["weak"], disksMax: 12 }),
  nested: exploring({ modes: ["kill"], nestedShare: 0.15, nestedDisksMax: 4, nestedModes: ["weak"] }),
  faults: eachOf((program, scenario) => loopFaults(program, scenario, ["EIO"], [false])),
  editor: eachOf((program, scenario) => editMeanwhile(program, scenario)),
};

export const changesetsMatrix = new Matrix("changesets", Object.keys(layers) as LayerName[]);

function exploring(some: Partial<Exploring> & Pick<Exploring, "modes">): Layer {
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
