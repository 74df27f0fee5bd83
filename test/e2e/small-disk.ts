/** A separate file system, as small as a test needs it, removed when the test ends. Needs root and the right to mount. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished, type TestContext } from "vitest";
import { folderWith } from "./folder.ts";

const pageBytes = 4096;

export class SmallDisk {
  /** Skips the test if nothing can be mounted. */
  static mount(context: TestContext): SmallDisk {
    if (process.platform !== "linux") return context.skip("needs Linux, to mount a tmpfs");
    const root = folderWith();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m,mode=755", "tmpfs", root]);
    if (mounted.status !== 0)
      return context.skip(`no tmpfs can be mounted here: ${mounted.stderr?.toString().trim() || "no mount"}`);
    // Runs before the folder itself is removed: what was registered last runs first.
    onTestFinished(() => void spawnSync("umount", ["-l", root]));
    return new SmallDisk(root);
  }

  private constructor(readonly root: string) {}

  /** Empties it, frees all its space, and puts these files on it. */
  begin(files: Readonly<Record<string, string>>): void {
    this.widen();
    for (const name of readdirSync(this.root)) rmSync(join(this.root, name), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(this.root, dirname(path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    }
  }

  /** Leaves room for this many more pages of 4 KiB. */
  leavePages(pages: number): void {
    const { blocks, bfree } = statfsSync(this.root);
    this.#remount(`size=${(blocks - bfree + pages) * pageBytes}`);
  }

  /** Leaves room for this many more files, folders and links. */
  leaveNames(names: number): void {
    const { files, ffree } = statfsSync(this.root);
    this.#remount(`nr_inodes=${files - ffree + names}`);
  }

  widen(): void {
    this.#remount("size=64m,nr_inodes=100000");
  }

  #remount(options: string): void {
    const { status, stderr } = spawnSync("mount", ["-o", `remount,${options}`, this.root]);
    if (status !== 0) throw new Error(`the disk cannot be given ${options}: ${stderr}`);
  }
}
