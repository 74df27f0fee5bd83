/** A copy of the compiled program into which mistakes are sown, one at a time, and a process that looks for each. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { compiled, repository } from "../crash/sow.ts";
import type { Hunted } from "./hunt.ts";
import type { Edit, Mistake } from "./mistakes.ts";

/** Each takes a few seconds, or minutes on a busy machine. */
const huntMs = 280_000;

export class Field {
  readonly #folder = mkdtempSync(join(tmpdir(), "cox-field-"));

  constructor() {
    const dist = join(repository(), "dist");
    mkdirSync(join(this.#folder, "test"));
    for (const part of ["src", "test/doubles", "test/sim", "test/crash"])
      cpSync(join(dist, part), join(this.#folder, part), { recursive: true });
    symlinkSync(join(repository(), "node_modules"), join(this.#folder, "node_modules"));
    writeFileSync(join(this.#folder, "package.json"), '{ "type": "module" }\n');
  }

  /** Runs in its own process, because a mistake may do anything. */
  async hunt(
    { edits, seenBy }: Pick<Mistake, "edits" | "seenBy">,
    { from = 1, count }: { readonly from?: number; readonly count: number },
  ): Promise<Hunted> {
    const files = new Set(edits.map(({ file }) => file));
    try {
      for (const file of files) this.#put(file, compiled(sown(file, edits)));
      const program = join(this.#folder, "test/sim/main.js");
      const args = [program, "--hunt", seenBy, "--from", String(from), "--seeds", String(count)];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: huntMs });
      return JSON.parse(stdout) as Hunted;
    } finally {
      for (const file of files)
        this.#put(file, readFileSync(join(repository(), "dist", scriptOf(file)), "utf8"));
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #put(file: string, text: string): void {
    writeFileSync(join(this.#folder, scriptOf(file)), text);
  }
}

function sown(file: string, edits: readonly Edit[]): string {
  const source = readFileSync(join(repository(), placeOf(file)), "utf8");
  return edits
    .filter((edit) => edit.file === file)
    .reduce((text, { find, put }) => {
      const places = text.split(find).length - 1;
      if (places !== 1) throw new Error(`${file} holds ${places} times: ${find}`);
      return text.replace(find, () => put);
    }, source);
}

/** A file below `src`, unless it begins with `test/`. */
function placeOf(file: string): string {
  return file.startsWith("test/") ? file : `src/${file}`;
}

function scriptOf(file: string): string {
  return placeOf(file).replace(/\.ts$/, ".js");
}
