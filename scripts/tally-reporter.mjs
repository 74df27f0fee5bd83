import { writeFileSync } from "node:fs";

/**
 * A vitest reporter that writes what scripts/test.mjs counts to the file named in COX_TALLY. Vitest's own JSON
 * report would do, but for one thing: it does not say why a test was skipped.
 */
export default class TallyReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { files: modules.length, passed: 0, failed: unhandledErrors.length, skipped: [] };
    for (const module of modules) {
      // A file that did not load, or a hook that failed, has no test to stand for it.
      tally.failed += module.errors().length;
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length;
      for (const test of module.children.allTests()) count(tally, test);
    }
    writeFileSync(process.env.COX_TALLY, JSON.stringify(tally));
  }
}

function count(tally, test) {
  const result = test.result();
  if (result.state === "passed") tally.passed += 1;
  else if (result.state === "skipped")
    tally.skipped.push({ name: test.fullName, reason: result.note ?? "no reason given" });
  else tally.failed += 1;
}
