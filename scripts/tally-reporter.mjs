/**
 * A vitest reporter that writes what scripts/layers.mjs counts to the file named in COX_TALLY. Vitest's own JSON
 * report would do, but for one thing: it does not say why a test was skipped.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";

export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { files: modules.map(timed), passed: 0, failures: [], skipped: [] };
    for (const error of unhandledErrors) tally.failures.push(`unhandled: ${firstLine(error)}`);
    for (const module of modules) {
      const path = pathOf(module);
      // A file that did not load, or a hook that failed, has no test to stand for it.
      for (const error of module.errors()) tally.failures.push(`${path}: ${firstLine(error)}`);
      for (const suite of module.children.allSuites())
        for (const error of suite.errors())
          tally.failures.push(`${path}: ${suite.fullName}: ${firstLine(error)}`);
      for (const test of module.children.allTests()) count(tally, path, test);
    }
    writeFileSync(process.env.COX_TALLY, JSON.stringify(tally));
  }
}

/** A file by its path from where vitest was started, with the time for its tests, its hooks and what it loads. */
function timed(module) {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return { path: pathOf(module), ms: collectDuration + setupDuration + duration };
}

function pathOf(module) {
  return relative(process.cwd(), module.moduleId);
}

function firstLine({ message }) {
  return String(message).split("\n")[0];
}

function count(tally, path, test) {
  const result = test.result();
  if (result.state === "passed") tally.passed += 1;
  else if (result.state === "skipped")
    tally.skipped.push({ name: test.fullName, reason: result.note ?? "no reason given" });
  else tally.failures.push(`${path}: ${test.fullName}`);
}
