/**
 * Makes a clone ready to use: the packages of package-lock.json installed, the sources compiled and bundled into dist/.
 * It does only what is missing, and says nothing when nothing is. Needs no installed package itself.
 *
 * What was installed is read from npm's own record, node_modules/.package-lock.json, which npm writes last: an
 * interrupted install has none, and one that somebody typed by hand counts as much as ours.
 */
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, isBundled } from "./bundle.mjs";
import { run } from "./run.mjs";
import { step } from "./step.mjs";

const house = dirname(dirname(fileURLToPath(import.meta.url)));
const sourceFolders = ["src", "test", "bench"];
const builtRecord = join(house, "dist", ".built");

/** Throws a `NotReady` that says what to type. `build` forces the build, `packagesOnly` leaves it out. */
export async function ready({ build = false, packagesOnly = false, quiet = false } = {}) {
  const doing = quiet ? (_name, work) => work() : step;
  needNode();
  needPrograms();
  if (!isInstalled()) await doing("installing packages (npm ci)", install);
  if (packagesOnly) return;
  const compiles = build || !isBuilt();
  if (compiles) await doing("building (tsc)", () => compile({ afresh: build }));
  // Packages are inside it, and the compiler says nothing of theirs that changed.
  if (compiles || !isBundled()) await doing("bundling (rolldown)", makeBundle);
}

export class NotReady extends Error {
  constructor(message, exitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

function needNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new NotReady(
    `Coxswain needs Node 20.19 or newer; this is Node ${process.versions.node}.\n` +
      "Install a newer one (https://nodejs.org, or type: nvm install 22) and start again.",
    5,
  );
}

function needPrograms() {
  for (const program of ["npm", "git"]) {
    if (isOnPath(program)) continue;
    throw new NotReady(
      `${program} was not found in any folder of PATH. Install ${program} and start again.\n` +
        (program === "npm"
          ? "It comes with Node: https://nodejs.org"
          : "On Debian and Ubuntu: sudo apt install git"),
      5,
    );
  }
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isInstalled() {
  const record = join(house, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(join(house, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "") continue;
    const found = installed[path];
    // Binaries for other machines are in the lockfile and rightly not in the folder.
    if (found === undefined ? !entry.optional : found.version !== entry.version) return false;
  }
  return Object.keys(installed).every((path) => path in wanted);
}

async function install() {
  // Without `--include=dev` a NODE_ENV=production in somebody's shell would leave the compiler out.
  const { code, output } = await run("npm", ["ci", "--include=dev", "--no-fund", "--no-audit"], {
    cwd: house,
  });
  if (code === 0) return;
  throw new NotReady(
    `${output.trimEnd()}\n\nThe packages could not be installed: npm ci ended with ${code}; its output is above.\n` +
      "If the registry was not reached, check the network and the proxy and type: npm ping\n" +
      "If package.json and package-lock.json disagree, type: npm install\n" +
      "Then start again, or type: npm ci",
    5,
  );
}

/**
 * The sources are the same set, of the same sizes and times, as at the last build, and each has its output. A set
 * and not only the newest time: moving an old file into place changes no time.
 */
function isBuilt() {
  if (!existsSync(builtRecord) || readFileSync(builtRecord, "utf8") !== fingerprint()) return false;
  return hasAllOutputs();
}

function hasAllOutputs() {
  return sources().every((path) => existsSync(join(house, "dist", path.replace(/\.ts$/, ".js"))));
}

function fingerprint() {
  return [...sources(), "tsconfig.json", "package-lock.json", "scripts/bundle.mjs"]
    .map((path) => {
      const { size, mtimeMs } = statSync(join(house, path));
      return `${path} ${size} ${mtimeMs}\n`;
    })
    .join("");
}

function sources() {
  return sourceFolders.flatMap((folder) => filesUnder(folder).filter((path) => path.endsWith(".ts")));
}

function filesUnder(folder) {
  if (!existsSync(join(house, folder))) return [];
  return readdirSync(join(house, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(house.length + 1))
    .sort();
}

async function compile({ afresh }) {
  // Taken before: a source that changes while the compiler runs is built again next time.
  const before = fingerprint();
  rmSync(builtRecord, { force: true });
  // The compiler trusts its own record and would not write an output again that somebody deleted.
  if (afresh || !hasAllOutputs()) rmSync(join(house, "dist", ".tsbuildinfo"), { force: true });
  const tsc = join(house, "node_modules", "typescript", "bin", "tsc");
  const { code, output } = await run(process.execPath, [tsc, "-p", "."], { cwd: house });
  if (code !== 0)
    throw new NotReady(`${output.trimEnd()}\n\nThe build failed; the compiler's output is above.`, 1);
  removeOutputsWithoutSource();
  writeFileSync(builtRecord, before);
}

async function makeBundle() {
  try {
    await bundle();
  } catch (error) {
    throw new NotReady(`${error.message}\n\nThe program could not be bundled; the reason is above.`, 1);
  }
}

function removeOutputsWithoutSource() {
  for (const output of filesUnder("dist")) {
    const source = output.slice("dist/".length).replace(/(\.d\.ts|\.js)$/, ".ts");
    if (/^dist\/(\.|cox\/)/.test(output) || existsSync(join(house, source))) continue;
    rmSync(join(house, output));
  }
}

if (realpathSync(process.argv[1] ?? "") === fileURLToPath(import.meta.url)) {
  try {
    await ready({ build: process.argv.includes("--build") });
  } catch (error) {
    if (!(error instanceof NotReady)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}
