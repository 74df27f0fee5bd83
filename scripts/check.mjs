/**
 * The checks that run no code of ours: types, format and lint, dead code, code that only tests use, layers, package. All
 * at once; a line for each, and everything that a failed one said.
 */
import { readdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NotReady, ready } from "./ready.mjs";
import { run } from "./run.mjs";
import { duration } from "./step.mjs";

const house = dirname(dirname(fileURLToPath(import.meta.url)));

const checks = {
  types: checkTypes,
  format: () => tool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."),
  "dead code": () => tool("knip/bin/knip.js", "--no-progress", "--no-config-hints"),
  "test-only": () => tool("knip/bin/knip.js", "--no-progress", "--no-config-hints", "--production"),
  layers: checkLayers,
  package: checkPackage,
};

/** Runs all checks and answers which passed: `[{ name, passed, ms }]`. Prints as it goes. */
export async function check() {
  return Promise.all(
    Object.entries(checks).map(async ([name, work]) => {
      const started = performance.now();
      const { code, output } = await work();
      const ms = performance.now() - started;
      process.stdout.write(`${code === 0 ? "✓" : "✗"} ${name.padEnd(10)} ${duration(ms)}\n`);
      if (code !== 0) process.stdout.write(`\n${output.trim()}\n\n`);
      return { name, passed: code === 0, ms };
    }),
  );
}

function tool(path, ...args) {
  return run(process.execPath, [join(house, "node_modules", path), ...args], { cwd: house });
}

/** Two of the checks need it: it is made once. */
let building;

function built() {
  building ??= ready({ quiet: true });
  return building;
}

/** The build holds the types of everything, sources and tests, and of the same sources it is not asked twice. */
async function checkTypes() {
  try {
    await built();
    return { code: 0, output: "" };
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    return { code: 1, output: error.message };
  }
}

/** With a compiler it does not understand, dependency-cruiser sees no module and finds nothing wrong. */
async function checkLayers() {
  const result = await tool(
    "dependency-cruiser/bin/dependency-cruise.mjs",
    "--config",
    ".dependency-cruiser.cjs",
    "src",
  );
  const seen = Number(/(\d+) modules/.exec(result.output)?.[1] ?? 0);
  const there = readdirSync(join(house, "src"), { recursive: true }).filter((path) =>
    path.endsWith(".ts"),
  ).length;
  if (seen >= there) return result;
  return {
    code: 1,
    output: `${result.output}\ndependency-cruiser saw ${seen} modules, but src has ${there} files`,
  };
}

/** Looks at the built files too, so they must be those of the sources. */
async function checkPackage() {
  try {
    await built();
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    return { code: 1, output: "The package could not be checked: the build failed. See types." };
  }
  return tool("publint/src/cli.js", "run", "--strict", "--pack", "npm");
}

if (realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url)) {
  try {
    await ready({ packagesOnly: true });
    const results = await check();
    if (results.some(({ passed }) => !passed)) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
