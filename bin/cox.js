#!/usr/bin/env node
/**
 * The program. Help and version answer before anything of ours is loaded but the table of commands, so that they
 * cost no more than Node itself; everything else is in the bundle, dist/cox.
 *
 * Must parse on Nodes far older than we support, or they would print a syntax error instead of what to do.
 */
import { existsSync, readFileSync, statSync } from "node:fs";

const args = process.argv.slice(2);
const dist = new URL("../dist/", import.meta.url);
const built = (path) => new URL(`${isBundleOfLastBuild() ? "cox" : "src"}/${path}`, dist);
/** What nobody typed says nothing when it cannot work: a hook of an agent's session, the completion of a shell. */
const isQuiet = args[0] === "hook" || args[0] === "complete";
const notReady = whatIsMissing();

if (notReady !== undefined) refuse(notReady);
else if (args.length === 1 && ["--version", "-V", "-v"].includes(args[0])) printVersion();
else if (!existsSync(built("main.js"))) refuse(notBuilt());
else if (args.length === 0 || (args.length === 1 && (args[0] === "--help" || args[0] === "-h"))) printHelp();
else runCommand();

function whatIsMissing() {
  if (process.platform === "win32") {
    return {
      code: "NATIVE_WINDOWS",
      message:
        "Coxswain does not run on native Windows: it needs file locks and folder syncs that only WSL has.",
      hint: "Use WSL: https://learn.microsoft.com/windows/wsl/install",
    };
  }
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return {
    code: "NODE_TOO_OLD",
    message: `Coxswain needs Node 20.19 or newer; this is Node ${process.versions.node}.`,
    hint: "Install a newer one (https://nodejs.org, or type: nvm install 22).",
  };
}

/**
 * An installed package has only the bundle. A clone has the compiler's output too, and whoever compiles without bundling
 * means that output: the bundle must be the one that scripts/bundle.mjs made of it.
 */
function isBundleOfLastBuild() {
  if (!existsSync(new URL("src/main.js", dist))) return true;
  try {
    const { size, mtimeMs } = statSync(new URL(".tsbuildinfo", dist));
    return readFileSync(new URL(".bundled", dist), "utf8") === `${size} ${mtimeMs}`;
  } catch (_error) {
    return false;
  }
}

function notBuilt() {
  return {
    code: "NOT_BUILT",
    message: "This clone of Coxswain has not been built yet: dist/cox/main.js is missing.",
    hint: "Type: npm run build",
  };
}

/**
 * Exit 5, "the machine is not ready", in the form that was asked for: with --json as src/view/text/document.ts has it. To a
 * hook of an agent's session it is told by the server that the same plugin starts.
 */
function refuse(problem) {
  if (isQuiet) return;
  const errors = [
    { code: problem.code, index: null, path: null, message: problem.message, hint: problem.hint },
  ];
  const nothing = args[0] === "apply" ? { applied: 0, changeset: null, operations: [], warnings: [] } : {};
  if (args.includes("--json"))
    print(`${JSON.stringify(Object.assign({ ok: false }, nothing, { errors }))}\n`);
  else process.stderr.write(`${problem.message}\n${problem.hint}\n`);
  process.exitCode = 5;
}

function printVersion() {
  print(`${JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version}\n`);
}

function printHelp() {
  import(built("cli/table/commands.js")).then(({ helpText }) => print(helpText()));
}

/** `cox --help | head -1` closes the pipe early, and that is no failure. */
function print(text) {
  process.stdout.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
  process.stdout.write(text);
}

/**
 * process.exit and not process.exitCode: on its way out by itself Node takes our signal handlers away first, and a Ctrl-C
 * then kills a program that has reported success. By process.exit they stay until the process is gone. What main has
 * printed is written when it answers.
 */
function runCommand() {
  import(built("main.js"))
    .then(({ main }) => main(args))
    .then((exitCode) => process.exit(isQuiet ? 0 : exitCode))
    .catch((error) => {
      if (!isQuiet) throw error;
    });
}
