/**
 * Plays an attempt as a careless coordinator would: with Node's own `spawn`, which passes on the whole environment and
 * every descriptor not marked close-on-exec. It shows that attempts prevented even without a sandbox are prevented by
 * care.
 */
import { spawn, spawnSync } from "node:child_process";
import type { Control } from "./attempt.ts";
import { filledIn } from "./evidence.ts";
import type { Scene } from "./scene.ts";

/** Returns what the attempt printed. */
export async function playCarelessly(script: string, control: Control, scene: Scene): Promise<string> {
  const said = control.isStarted ? await started(script, scene.desk.folder) : "";
  const [program, ...args] = (control.typed ?? []).map((word) => filledIn(word, scene.variables));
  if (program !== undefined) spawnSync(program, args, { stdio: "ignore" });
  return said;
}

function started(script: string, cwd: string): Promise<string> {
  const child = spawn("sh", { cwd, stdio: ["pipe", "pipe", "ignore"] });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", () => resolve(said));
  });
}
