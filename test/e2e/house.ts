/**
 * A small copy of the project with our scripts, in its own folder, to see what they do to a clone. Its packages are a
 * link to ours, so nothing is installed.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { house as ours } from "../tidy/tree.ts";

export class House {
  readonly root = mkdtempSync(join(tmpdir(), "cox-house-"));

  /** Without `from`, a fresh one; otherwise a copy of it, including times, as if nothing had been moved. */
  constructor(from?: House) {
    if (from) {
      execFileSync("cp", ["-a", `${from.root}/.`, this.root]);
      return;
    }
    for (const name of [
      "scripts",
      "package.json",
      "package-lock.json",
      "tsconfig.json",
      "vitest.config.ts",
    ]) {
      cpSync(join(ours, name), join(this.root, name), { recursive: true });
    }
    symlinkSync(join(ours, "node_modules"), join(this.root, "node_modules"));
    // The minimum that can be bundled.
    for (const name of ["main", "index", "cli/table/commands"])
      this.write(`src/${name}.ts`, `export const name = "${name}";\n`);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Runs `node scripts/NAME ARGS…` in it; `path` replaces PATH. */
  run(script: string, args: readonly string[] = [], path = process.env.PATH) {
    return spawnSync(process.execPath, [this.path(`scripts/${script}`), ...args], {
      cwd: this.root,
      encoding: "utf8",
      env: { ...process.env, PATH: path, NO_COLOR: "1", FORCE_COLOR: undefined },
    });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
