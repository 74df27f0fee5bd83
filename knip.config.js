/**
 * What knip looks at. `--production` sees only what is marked with a final `!`, the product without its tests: what it
 * finds is code that nothing but tests uses.
 */
export default ({ production: isProduction }) => ({
  entry: [
    // dist/ is not looked into: these are what scripts/bundle.mjs, the scripts of package.json and a test load of it.
    "src/main.ts!",
    "src/cli/table/commands.ts!",
    "src/index.ts!",
    "bench/main.ts",
    "bench/contestants/minimal-task-server.ts",
    "test/crash/main.ts",
    "test/escape/main.ts",
    "test/golden/make.ts",
    "test/picture/main.ts",
    "test/sim/main.ts",
    "test/e2e/documents-client.ts",
    "test/e2e/symlink-attacker.ts",
    "scripts/*.mjs",
    // Started by Claude Code.
    "plugin/cox.mjs!",
  ],
  project: [
    "src/**/*.ts!",
    "!src/**/*.{test,contract}.ts!",
    "test/**/*.ts",
    "bench/**/*.ts",
    "bin/*.js!",
    "scripts/*.mjs",
    "plugin/*.mjs!",
  ],
  // A type that stands in an exported signature of its own file may be exported too. In the product, so may anything
  // that its own file uses: it is exported for a test, but it is not dead.
  ignoreExportsUsedInFile: isProduction ? true : { interface: true, type: true },
  // Programs that a test starts (git, flock, mkfifo, …) are the system's.
  exclude: ["binaries"],
  // Started as programs, by scripts/check.mjs and by bench/contestants/tool-server.ts.
  ignoreDependencies: ["dependency-cruiser", "publint", "@modelcontextprotocol/server-filesystem"],
});
