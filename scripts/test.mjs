/**
 * Everything that says whether the house is in order: ready, the checks, then the layers of tests.
 * `npm test -- unit crash` runs these layers only. The last line is the count. The layer `clients` runs only when it is
 * asked for: it needs the network once, and a gigabyte for programs of others.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { check } from "./check.mjs";
import { NotReady, ready } from "./ready.mjs";
import { run } from "./run.mjs";
import { duration } from "./step.mjs";

const house = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where each layer's tests are. Said apart from vitest.config.ts, so that a pattern there that fits nothing is seen. */
const layers = {
  unit: ["src"],
  tidy: ["test/tidy.test.ts", "test/docs.test.ts"],
  crash: ["test/crash"],
  sim: ["test/sim"],
  e2e: ["test/e2e"],
  clients: ["test/clients"],
};
const usual = ["check", ...Object.keys(layers).filter((name) => name !== "clients")];

/**
 * What runs side by side. The real program mostly waits, for disks and for time, and the others mostly compute: so it
 * runs beside all of them, with more workers than there are processors where they are two.
 */
const stages = [[["check", "unit", "tidy", "sim", "crash"], ["e2e"]], [["clients"]]];
const workers = { e2e: 3 };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in layers) && name !== "check");
if (unknown.length > 0) {
  process.stderr.write(
    `There is no layer "${unknown[0]}". The layers: check, ${Object.keys(layers).join(", ")}\n`,
  );
  process.exitCode = 2;
} else {
  const rows = await runAll(asked.length > 0 ? asked : usual);
  printSummary(rows);
  if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

/** A row for each layer: `{ name, passed, failed, skipped: [{ name, reason }], ms, remark }`. */
async function runAll(names) {
  const notReady = await timed("ready", runReady);
  // When the clone cannot be made ready that is one failure, and what needs it would only repeat it.
  if (notReady.failed > 0) return [notReady];
  const rows = [];
  for (const lanes of stages) {
    const wanted = lanes
      .map((lane) => lane.filter((name) => names.includes(name)))
      .filter((lane) => lane.length);
    const beside = wanted.map((lane, at) => runLane(lane, { isQuiet: at > 0 }));
    rows.push(...(await Promise.all(beside)).flat());
  }
  return rows;
}

/** One layer after the other. A quiet lane runs beside another one, and prints what it said when it is done. */
async function runLane(lane, { isQuiet }) {
  const rows = [];
  for (const name of lane)
    rows.push(await timed(name, () => (name === "check" ? runChecks() : runLayer(name, { isQuiet }))));
  return rows;
}

async function timed(name, work) {
  const started = performance.now();
  const result = await work();
  return { name, passed: 0, failed: 0, skipped: [], remark: "", ...result, ms: performance.now() - started };
}

async function runReady() {
  try {
    await ready();
    return {};
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { failed: 1, remark: "nothing else was run" };
  }
}

async function runChecks() {
  heading("check");
  const results = await check();
  const failures = results.filter(({ passed }) => !passed).map(({ name }) => name);
  return { passed: results.length - failures.length, failed: failures.length, remark: failures.join(", ") };
}

async function runLayer(name, { isQuiet }) {
  if (!isQuiet) heading(name);
  if (!layers[name].some(hasTests)) return { remark: "has no test file yet" };
  const scratch = mkdtempSync(join(tmpdir(), "cox-test-"));
  try {
    const tallyFile = join(scratch, "tally.json");
    const mark = `COX_TEST_RUN=${name}-${process.pid}-${Date.now()}`;
    const environment = { COX_TALLY: tallyFile, COX_TEST_RUN: mark.split("=")[1] };
    const { output } = await runVitest(name, environment, isQuiet ? "pipe" : "inherit");
    if (isQuiet) heading(name);
    process.stdout.write(output);
    return judge(tallyFile, await leftRunning(mark));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function hasTests(path) {
  const full = join(house, path);
  if (!existsSync(full)) return false;
  return (
    path.endsWith(".ts") || readdirSync(full, { recursive: true }).some((file) => file.endsWith(".test.ts"))
  );
}

async function runVitest(layer, environment, output) {
  const vitest = join(house, "node_modules", "vitest", "vitest.mjs");
  const reporter = join(house, "scripts", "tally-reporter.mjs");
  const args = [vitest, "run", "--project", layer, `--maxWorkers=${workers[layer] ?? 2}`];
  return run(process.execPath, [...args, "--reporter=default", `--reporter=${reporter}`], {
    cwd: house,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...environment },
  });
}

function judge(tallyFile, leftovers) {
  if (!existsSync(tallyFile)) return { failed: 1, remark: "vitest ended without a report" };
  const { passed, failed, skipped } = JSON.parse(readFileSync(tallyFile, "utf8"));
  const remarks = leftovers.map((process) => `left running: ${process}`);
  if (passed + failed + skipped.length === 0) remarks.push("has test files, but ran no test");
  return { passed, skipped, failed: failed + remarks.length, remark: remarks.join("; ") };
}

/** What is still there a second after the layer's end: a process that was just killed needs a moment to go. */
async function leftRunning(mark) {
  for (let attempt = 0; attempt < 10 && processesWith(mark).length > 0; attempt += 1) await sleep(100);
  return processesWith(mark);
}

/** Processes that carry the layer's mark in their environment: its tests started them. */
function processesWith(mark) {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(mark)) return [];
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
        return [`${pid} (${commandLine.slice(0, 100)})`];
      } catch {
        return []; // It ended meanwhile, or is somebody else's.
      }
    });
}

function printSummary(rows) {
  const print = (line) => process.stdout.write(`${line}\n`);
  heading("summary");
  print("layer    passed  failed  skipped        time");
  for (const { name, passed, failed, skipped, ms, remark } of rows) {
    const cells = [
      name.padEnd(7),
      ...[passed, failed, skipped.length].map((count) => String(count).padStart(7)),
    ];
    print(`${cells.join(" ")} ${duration(ms).padStart(12)}${remark && `  ${remark}`}`);
  }
  const skipped = rows.flatMap((row) => row.skipped);
  for (const { name, reason } of skipped) print(`skipped: ${name}: ${reason}`);
  const total = (key) => rows.reduce((sum, row) => sum + row[key], 0);
  print(`${total("passed")} passed, ${total("failed")} failed`);
}

function heading(name) {
  process.stdout.write(`\n── ${name} ${"─".repeat(60 - name.length)}\n`);
}
