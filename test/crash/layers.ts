/** The ways in which a program is tried, each small enough to be run for every mistake. */
import { editMeanwhile } from "./editor.ts";
import { type Exploring, explore, Violation } from "./explore.ts";
import { loopFaults } from "./faults-loop.ts";
import { holdPromises } from "./promises.ts";
import type { Program } from "./scenario.ts";
import { sequences, singleChangesets } from "./scenarios.ts";

export type LayerName = "promises" | "kill" | "ordered" | "weak" | "nested" | "faults" | "editor";

type Layer = (program: Program) => Promise<unknown>;

export const layers: Readonly<Record<LayerName, Layer>> = {
  promises: holdPromises,
  kill: exploring({ modes: ["kill"] }),
  ordered: exploring({ modes: ["ordered"] }),
  weak: exploring({ modes: ["weak"], disksMax: 25 }),
  nested: exploring({ modes: ["kill", "weak"], disksMax: 3, nestedShare: 0.05, nestedDisksMax: 4 }),
  faults: eachOf((program, scenario) => loopFaults(program, scenario)),
  editor: eachOf((program, scenario) => editMeanwhile(program, scenario)),
};

/** True when the layer notices that something is wrong with the program. */
export async function catches(layer: LayerName, program: Program): Promise<boolean> {
  try {
    await layers[layer](program);
    return false;
  } catch (error) {
    // A mistake may also make the program fail with an error of its own: noticed is noticed.
    return error instanceof Violation || error instanceof Error;
  }
}

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
