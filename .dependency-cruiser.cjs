/**
 * Who may import whom, from layers.json, on the modules as they really resolve. Tests are not held to it: a test
 * may reach for whatever proves its claim. The same table is held by test/tidy.test.ts, which names the line.
 */
const layers = require("./layers.json");

const source = (folder) => `^src/${folder}/`;
const isTest = "\\.(test|contract)\\.ts$";

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([folder, mayImport]) => ({
      name: `${folder}-imports`,
      comment: `${folder} may import ${mayImport.join(", ") || "no other folder"}`,
      severity: "error",
      from: { path: source(folder), pathNot: isTest },
      to: { path: "^src/", pathNot: [folder, ...mayImport].map(source) },
    })),
    {
      name: "no-cycle",
      severity: "error",
      from: { path: "^src/" },
      to: { circular: true },
    },
    {
      name: "every-import-resolves",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "bundled-packages-are-pinned",
      comment: "what is bundled is named in package.json; test/tidy.test.ts holds which may be",
      severity: "error",
      from: { path: "^src/", pathNot: isTest },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["type-only"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
