/**
 * Starts the nearest Coxswain that can run: the one this plugin came with, the project's own, one on the PATH, and only
 * then npm's. A plugin that Claude Code fetched with git is not built; an installed one is.
 *
 * A hook that finds none says nothing: it must not disturb a session, nor make it wait for the network.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const args = process.argv.slice(2);
const isHook = args[0] === "hook";
const own = dirname(dirname(fileURLToPath(import.meta.url)));
const found = [own, ...inProject(), ...onPath()].find(canRun);

if (found) {
  const program = join(found, "bin", "cox.js");
  process.argv = [process.argv[0], program, ...args];
  import(pathToFileURL(program).href).catch(failed);
} else startByNpm();

function inProject() {
  const start = process.env.CLAUDE_PROJECT_DIR ?? process.cwd();
  return above(start).map((folder) => join(folder, "node_modules", "coxswain"));
}

function onPath() {
  return (process.env.PATH ?? "").split(delimiter).flatMap((folder) => {
    const program = join(folder, "cox");
    return existsSync(program) ? [dirname(dirname(realpathSync(program)))] : [];
  });
}

/** Ours, and built. */
function canRun(root) {
  try {
    const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return (
      name === "coxswain" && ["cox", "src"].some((part) => existsSync(join(root, "dist", part, "main.js")))
    );
  } catch {
    return false;
  }
}

function above(folder) {
  const next = dirname(folder);
  return next === folder ? [folder] : [folder, ...above(next)];
}

/** The version that belongs to these hooks and skills. The server fetches it; a hook takes what is there. */
function startByNpm() {
  const { version } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  const how = isHook ? ["--offline", "--yes"] : ["--yes"];
  const stdio = isHook ? ["inherit", "inherit", "ignore"] : "inherit";
  const child = spawn("npx", [...how, `coxswain@${version}`, ...args], { stdio });
  child.on("error", failed);
  child.on("exit", (code) => {
    process.exitCode = isHook ? 0 : (code ?? 1);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
}

function failed(error) {
  if (isHook) return;
  process.stderr.write(
    `Coxswain could not be started: ${error.message}\nInstall it: npm install --global coxswain\n`,
  );
  process.exitCode = 5;
}
