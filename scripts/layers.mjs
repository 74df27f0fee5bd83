/**
 * The layers of tests: which there are, how they are run side by side, and the summary of what they found. Shared by
 * `npm test` and `npm run campaign`, which differ in what they ask for.
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
  unit: ["src", "bench", "test/doubles"],
  tidy: ["test/tidy.test.ts", "test/docs.test.ts", "test/effects.test.ts", "test/picture"],
  crash: ["test/crash"],
  sim: ["test/sim"],
  e2e: ["test/e2e"],
  clients: ["test/clients"],
};

/** `clients` runs only when it is asked for: it needs the network once, and a gigabyte for programs of others. */
export const usualLayers = Object.keys(layers).filter((name) => name !== "clients");

/**
 * What runs side by side. The real program mostly waits, for disks and for time, and the others mostly compute: so it
 * runs beside all of them, with more workers than there are processors where they are two.
 */
const stages = [[["check", "unit", "tidy", "sim", "crash"], ["e2e"]], [["clients"]]];
const workers = { e2e: 3 };
const slowestMax = 10;

/**
 * Makes the clone ready, runs what was asked for, else what is usual, prints the summary and sets the exit code.
 * `only` chooses the test files by their paths: a layer without a chosen one is left out. `environment` is added to
 * that of the tests.
 */
export async function runLayers({ asked, usual, only = () => true, environment = {} }) {
  const known = usual.includes("check") ? ["check", ...Object.keys(layers)] : Object.keys(layers);
  const unknown = asked.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no layer "${unknown}". The layers: ${known.join(", ")}\n`);
    process.exitCode = 2;
    return;
  }
  const rows = await runAll(asked.length > 0 ? asked : usual, { only, environment });
  printSummary(rows);
  if (rows.some(({ failures }) => failures.length > 0)) process.exitCode = 1;
}

/** A row for each layer: `{ name, passed, failures, skipped: [{ name, reason }], files: [{ path, ms }], ms, remark }`. */
async function runAll(names, options) {
  const notReady = await timed("ready", runReady);
  // When the clone cannot be made ready that is one failure, and what needs it would only repeat it.
  if (notReady.failures.length > 0) return [notReady];
  const rows = [];
  for (const lanes of stages) {
    const wanted = lanes
      .map((lane) => lane.filter((name) => names.includes(name)))
      .filter((lane) => lane.length);
    const beside = wanted.map((lane, at) => runLane(lane, { ...options, isQuiet: at > 0 }));
    rows.push(...(await Promise.all(beside)).flat());
  }
  return rows;
}

/** One layer after the other. A quiet lane runs beside another one, and prints what it said when it is done. */
async function runLane(lane, options) {
  const rows = [];
  for (const name of lane)
    rows.push(await timed(name, () => (name === "check" ? runChecks() : runLayer(name, options))));
  return rows;
}

async function timed(name, work) {
  const started = performance.now();
  const result = await work();
  const row = { name, passed: 0, failures: [], skipped: [], files: [], remark: "", ...result };
  return { ...row, ms: performance.now() - started };
}

async function runReady() {
  try {
    await ready();
    return {};
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    process.stderr.write(`${error.message}\n`);
    return { failures: ["the clone could not be prepared; nothing else was run"] };
  }
}

async function runChecks() {
  heading("check");
  const results = await check();
  const failures = results.filter(({ passed }) => !passed).map(({ name }) => name);
  return { passed: results.length - failures.length, failures };
}

async function runLayer(name, { only, environment, isQuiet }) {
  if (!isQuiet) heading(name);
  const files = testFilesOf(name).filter(only);
  if (files.length === 0) return { remark: "has no test file to run" };
  const scratch = mkdtempSync(join(tmpdir(), "cox-test-"));
  try {
    const tallyFile = join(scratch, "tally.json");
    const mark = `COX_TEST_RUN=${name}-${process.pid}-${Date.now()}`;
    const { output } = await runVitest(name, {
      files,
      environment: { ...environment, COX_TALLY: tallyFile, COX_TEST_RUN: mark.split("=")[1] },
      output: isQuiet ? "pipe" : "inherit",
    });
    if (isQuiet) heading(name);
    process.stdout.write(output);
    return judge({ tallyFile, files, leftovers: await leftRunning(mark) });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The paths of its test files, from the root of the house. */
function testFilesOf(layer) {
  return layers[layer].flatMap((path) => {
    if (!existsSync(join(house, path))) return [];
    if (path.endsWith(".ts")) return [path];
    return readdirSync(join(house, path), { recursive: true })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => join(path, file));
  });
}

async function runVitest(layer, { files, environment, output }) {
  const vitest = join(house, "node_modules", "vitest", "vitest.mjs");
  const reporter = join(house, "scripts", "tally-reporter.mjs");
  const args = [vitest, "run", "--project", layer, `--maxWorkers=${workers[layer] ?? 2}`];
  // Whole paths: vitest runs every file whose path holds one of these words.
  const paths = files.map((file) => join(house, file));
  return run(process.execPath, [...args, "--reporter=default", `--reporter=${reporter}`, ...paths], {
    cwd: house,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...environment },
  });
}

function judge({ tallyFile, files, leftovers }) {
  if (!existsSync(tallyFile)) return { failures: ["vitest ended without a report"] };
  const tally = JSON.parse(readFileSync(tallyFile, "utf8"));
  const ran = new Set(tally.files.map(({ path }) => path));
  const more = [
    ...leftovers.map((process) => `left running: ${process}`),
    ...files.filter((file) => !ran.has(file)).map((file) => `vitest did not run ${file}`),
  ];
  return { ...tally, failures: [...tally.failures, ...more] };
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
  for (const { name, passed, failures, skipped, ms, remark } of rows) {
    const counts = [passed, failures.length, skipped.length].map((count) => String(count).padStart(7));
    print([name.padEnd(7), ...counts, duration(ms).padStart(12), remark].join(" ").trimEnd());
  }
  const skipped = rows.flatMap((row) => row.skipped);
  for (const { name, reason } of skipped) print(`skipped: ${name}: ${reason}`);
  const slowest = rows.flatMap((row) => row.files).sort((one, other) => other.ms - one.ms);
  for (const { path, ms } of slowest.slice(0, slowestMax)) print(`slow: ${duration(ms).padStart(9)} ${path}`);
  const failures = rows.flatMap((row) => row.failures.map((failure) => `${row.name}: ${failure}`));
  for (const failure of failures) print(`failed: ${failure}`);
  const passed = rows.reduce((sum, row) => sum + row.passed, 0);
  print(`${passed} passed, ${failures.length} failed`);
}

function heading(name) {
  process.stdout.write(`\n── ${name} ${"─".repeat(60 - name.length)}\n`);
}
