/** Lists the modules that a run of the program loads. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The files that a run of Node loads, of both module systems. Taken from the engine's coverage record, because that
 * needs no hook inside the program and misses nothing that was evaluated.
 */
export function loadedModules(args: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "cox-loaded-"));
  try {
    spawnSync(process.execPath, args, { env: { ...process.env, NODE_V8_COVERAGE: folder }, stdio: "ignore" });
    const scripts = readdirSync(folder).flatMap((name): { url: string }[] => {
      return JSON.parse(readFileSync(join(folder, name), "utf8")).result;
    });
    return scripts.filter(({ url }) => url.startsWith("file:")).map(({ url }) => fileURLToPath(url));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
