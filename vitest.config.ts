import { defineConfig } from "vitest/config";
import { isCampaign } from "./test/sized.ts";

/** One project per layer, in the order in which `npm test` runs them. */
export default defineConfig({
  test: {
    projects: [
      layer("unit", ["src/**/*.test.ts", "bench/**/*.test.ts", "test/doubles/**/*.test.ts"]),
      layer("tidy", [
        "test/tidy.test.ts",
        "test/docs.test.ts",
        "test/effects.test.ts",
        "test/picture/**/*.test.ts",
      ]),
      layer("crash", ["test/crash/**/*.test.ts"]),
      layer("sim", ["test/sim/**/*.test.ts"]),
      layer("e2e", ["test/e2e/**/*.test.ts"]),
      // Needs the network once, and so is run by `npm run test:clients` and not by `npm test`.
      layer("clients", ["test/clients/**/*.test.ts"]),
    ],
  },
});

function layer(name: string, include: string[]) {
  return {
    test: {
      name,
      include,
      // Ten thousand whole runs in one test of the campaign: some minutes on a machine that has nothing else to do.
      testTimeout: isCampaign ? 1_200_000 : 300_000,
      hookTimeout: 120_000,
      pool: "forks" as const,
      // These tests leave nothing behind in their process, and a good part of their time is the loading of modules.
      isolate: name !== "unit" && name !== "e2e",
      // Programs of others stumble now and then over nothing of ours; twice in a row is no accident.
      retry: name === "clients" ? 1 : 0,
      // Copies with a mistake are compiled already: Node loads them itself, and nothing is transformed again.
      server: { deps: { external: [/\/cox-mistake-/] } },
    },
  };
}
