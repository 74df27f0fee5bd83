/**
 * The attacker of the symlink race, a program of its own: swaps `d` in the folder it is given between the real folder
 * and a link to the canary, as fast as it can, until it is killed, its parent is gone, or its time is up.
 */
import { renameSync, writeSync } from "node:fs";
import { join } from "node:path";

const [workspace = "", secondsMax = ""] = process.argv.slice(2);
const end = Date.now() + Number(secondsMax) * 1000;
const parent = process.ppid;
const target = join(workspace, "d");
const real = join(workspace, "real");
const link = join(workspace, "link");

writeSync(1, "ready\n");
while (Date.now() < end && process.ppid === parent) {
  for (let round = 0; round < 1000; round++) {
    renameSync(target, real);
    renameSync(link, target);
    renameSync(target, link);
    renameSync(real, target);
  }
}
