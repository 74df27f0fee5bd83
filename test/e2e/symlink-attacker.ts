/**
 * The attacker of the symlink race, as a separate program: swaps `d` in the given folder between the real folder and a
 * link to the canary, until it is killed, its parent is gone, or its time is up. Each stays in place for an instant, so
 * that a writer meets the folder, the link and the moments between them about equally often.
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
    stay();
    renameSync(target, link);
    renameSync(real, target);
    stay();
  }
}

function stay(): void {
  const until = performance.now() + 0.05;
  while (performance.now() < until);
}
