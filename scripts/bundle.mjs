/**
 * Makes the program that is shipped from what the compiler wrote: dist/cox, with the packages inside, so that Node opens
 * a few dozen files at a start and not five hundred, and installing brings nothing else. Commands that are loaded when
 * they are asked for stay files of their own.
 *
 * In a clone dist/src lies beside it, and bin/cox.js takes the bundle only while it is that of the compiler's last
 * output: whoever types `tsc` runs what `tsc` wrote.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const house = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(house, "dist", "src");
const folder = join(house, "dist", "cox");
const record = join(house, "dist", ".bundled");

/** What is loaded by name: the program, the rows that help is printed from, the library. */
const entries = ["main", "cli/table/commands", "index"];

/** Throws an `Error` that says what is wrong. */
export async function bundle() {
  const from = compilerOutput();
  rmSync(record, { force: true });
  rmSync(folder, { recursive: true, force: true });
  const chunks = await writeChunks();
  writeFileSync(join(folder, "LICENSES.txt"), notices(packagesIn(chunks)));
  copyTypes(join(compiled, "index.d.ts"));
  writeFileSync(record, from);
}

export function isBundled() {
  if (!existsSync(record) || readFileSync(record, "utf8") !== compilerOutput()) return false;
  return entries.every((name) => existsSync(join(folder, `${name}.js`)));
}

/** Which output of the compiler is there: it writes its own record anew with every output. bin/cox.js asks the same. */
function compilerOutput() {
  const { size, mtimeMs } = statSync(join(house, "dist", ".tsbuildinfo"));
  return `${size} ${mtimeMs}`;
}

async function writeChunks() {
  // Not above: a clone whose packages are not installed yet asks whether it is built.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    cwd: house,
    input: Object.fromEntries(entries.map((name) => [name, join(compiled, `${name}.js`)])),
    platform: "node",
    // Without it every entry that another file imports would be two files.
    preserveEntrySignatures: "allow-extension",
    // An import that is not found would only be warned of, and fail where the program is installed.
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message);
    },
  });
  try {
    const { output } = await build.write({
      dir: folder,
      format: "esm",
      chunkFileNames: "[name].js",
      // Names stay as they are, and so do lines: taking the white space away was not seen to save time, and a stack
      // should say where.
      minify: false,
      minifyInternalExports: false,
      comments: { legal: true, annotation: true, jsdoc: false },
    });
    return output;
  } finally {
    await build.close();
  }
}

/** The packages of which something is inside, by name, with those that they carry inside themselves. */
function packagesIn(chunks) {
  const found = new Map();
  for (const file of chunks.flatMap(({ modules }) => Object.keys(modules))) {
    const inPackages = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
    if (inPackages === null) continue;
    const [root, name] = inPackages;
    const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    found.set(name, { version, license, root, carriedBy: undefined });
    for (const carried of carriedIn(readFileSync(file, "utf8"))) {
      if (!found.has(carried.name)) found.set(carried.name, { ...carried, carriedBy: name });
    }
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** A package that was bundled itself says so above each part: `//#region …/.pnpm/ajv@8.18.0/node_modules/ajv/…`. */
function carriedIn(text) {
  const regions = text.matchAll(
    /^\/\/#region .*\.pnpm\/[^/]*?@(\d[^/_]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
  );
  return [...regions].map(([, version, name]) => {
    const root = join(house, "node_modules", name);
    if (!existsSync(root))
      throw new Error(`${name} is inside the bundle, but its licence is not in node_modules`);
    const { license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return { name, version, license, root };
  });
}

/** What their licences ask of whoever passes them on. */
function notices(packages) {
  const parts = packages.map(([name, { version, license, root, carriedBy }]) => {
    const file = licenceIn(root) ?? licenceOfSiblings(root, packages);
    if (file === undefined) throw new Error(`${name} is inside the bundle, but has no licence file`);
    const within = carriedBy === undefined ? "" : `, inside ${carriedBy}`;
    return `${name} ${version} (${license})${within}\n\n${readFileSync(file, "utf8").trim()}\n`;
  });
  const line = `\n${"-".repeat(80)}\n\n`;
  return ["Coxswain contains parts of these packages. Each is listed with its licence.\n", ...parts].join(
    line,
  );
}

function licenceIn(root) {
  const name = readdirSync(root).find((file) => /^licen[cs]e/i.test(file));
  return name && join(root, name);
}

/** Packages of one repository are under one text, and not each of them was published with it. */
function licenceOfSiblings(root, packages) {
  const origin = originOf(root);
  const siblings = packages.map(([, { root: other }]) => other).filter((other) => originOf(other) === origin);
  return origin && siblings.map(licenceIn).find((file) => file !== undefined);
}

/** Where it comes from and under which licence. */
function originOf(root) {
  const { repository, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return repository?.url && `${repository.url} ${license}`;
}

/** The types of the library and of all that they name. */
function copyTypes(file, copied = new Set()) {
  if (copied.has(file)) return;
  copied.add(file);
  const target = join(folder, "types", relative(compiled, file));
  mkdirSync(dirname(target), { recursive: true });
  cpSync(file, target);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
    if (name.startsWith(".")) copyTypes(join(dirname(file), name.replace(/\.ts$/, ".d.ts")), copied);
    else if (!name.startsWith("node:"))
      throw new Error(`${relative(house, file)} names ${name}, which users of the library do not have`);
  }
}
