/** The cost of a sandbox: a program that does nothing, started at a desk on its own and confined as in a run. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../src/std/assert.ts";
import { startProgram } from "../src/world/processes/start-program.ts";
import { holdsHere, sandboxes } from "../src/world/sandbox/confine.ts";
import type { Sandbox } from "../src/world/sandbox/sandbox.ts";
import type { Scratch } from "./scratch.ts";
import type { Contestant, Workload } from "./workload.ts";

const unconfined = "no sandbox";

export function sandboxStart(scratch: Scratch): Workload {
  const here = sandboxes.filter(holdsHere);
  const missing = sandboxes.filter((sandbox) => !here.includes(sandbox));
  return {
    name: "sandbox-start",
    work: "`true`, started at a desk and waited for",
    fairness: [
      `${unconfined}: started in the same way, and nothing is mounted.`,
      "The others hold it to its desk: the mounts are made, and taken away when it has ended.",
      ...missing.map(({ name }) => `${name} does not work on this machine.`),
    ],
    contestants: [starting(unconfined, scratch), ...here.map((one) => starting(one.name, scratch, one))],
    comparisons: here.map(({ name }) => ({ slow: name, fast: unconfined })),
    roundsMin: 15,
  };
}

function starting(name: string, scratch: Scratch, sandbox?: Sandbox): Contestant {
  return {
    name,
    prepare() {
      const home = scratch.fresh("home");
      const [desk, layers] = [join(home, "desk"), join(home, ".cache/layers")];
      for (const folder of [desk, layers]) mkdirSync(folder, { recursive: true });
      let how: string | undefined;
      return {
        async go() {
          const ended = await startProgram(
            {
              argv: ["true"],
              folder: desk,
              environment: { HOME: home, PATH: "/usr/bin:/bin" },
              ...{ keepBytes: 1_000, bytesMax: 1_000, graceMs: 1_000 },
              ...(sandbox && { confinement: { readOnly: [], writable: [desk] } }),
            },
            { layers, choose: () => sandbox },
          ).ended;
          how = `${ended.how.kind} ${ended.isConfined}`;
        },
        end: () => assert(how === `exited ${sandbox !== undefined}`, `${name} ended well: ${how}`),
      };
    },
  };
}
