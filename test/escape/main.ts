/**
 * `npm run escapes`: tries every attempt to escape, and reports the results.
 *
 *     npm run escapes                           with each sandbox of this machine and with none, as both users
 *     npm run escapes -- --write                the same, into docs/escapes.md
 *     npm run escapes -- --sandbox bwrap        with one, as you, for a program to read
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { machine, release, type } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { holdsHere, sandboxes } from "../../src/world/sandbox/confine.ts";
import { allAttempts } from "./attempts.ts";
import { cellsIn, columns, foundCells, pageOf, playedOn } from "./page.ts";
import { play } from "./play.ts";
import { noSandbox, playAs } from "./play-as.ts";
import { playInFolder } from "./play-in-folder.ts";

const { values } = parseArgs({
  options: {
    sandbox: { type: "string" },
    write: { type: "boolean", default: false },
    /** The folder to play in. */
    in: { type: "string" },
  },
});

if (values.sandbox === undefined) await playAll(values.write);
else if (values.in === undefined) process.exitCode = playInFolder(process.argv.slice(2));
else say(JSON.stringify(await playOne(values.sandbox, values.in), null, 2));

async function playOne(name: string, root: string) {
  const sandbox = sandboxes.find((one) => one.name === name);
  if (!sandbox && name !== noSandbox) return { impossible: `there is no sandbox "${name}"` };
  if (sandbox && !holdsHere(sandbox)) return { impossible: `${name} does not work here` };
  return { results: await play(allAttempts, { sandbox, root }) };
}

async function playAll(isWritten: boolean): Promise<void> {
  const house = fileURLToPath(new URL("../../..", import.meta.url));
  const page = `${house}docs/escapes.md`;
  const before = cellsIn(readFileSync(page, "utf8"));
  let cells = before;
  for (const column of columns) {
    const played = await playAs(column, house);
    const title = `${column.sandbox}, ${column.user}`;
    if ("impossible" in played) say(`${title}: not tried, ${played.impossible}`);
    else {
      const all = Object.entries(played.results);
      const worked = all.filter(([, result]) => result === "worked").map(([name]) => `\n  ${name}`);
      say(`${title}: of ${all.length} attempts, these worked:${worked.join("")}`);
      cells = playedOn(foundCells(cells, column, played.results), before, column, systemWords());
    }
  }
  if (isWritten) writeFileSync(page, pageOf(cells));
}

/** "Linux 6.12 x86_64, Debian GNU/Linux 13 (trixie)". */
function systemWords(): string {
  const path = "/etc/os-release";
  const [, name = "unknown"] =
    /^PRETTY_NAME="?([^"\n]*)/m.exec(existsSync(path) ? readFileSync(path, "utf8") : "") ?? [];
  const [version] = /^\d+\.\d+/.exec(release()) ?? [release()];
  return `${type()} ${version} ${machine()}, ${name}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
