/** Files as any program reads and writes them, by Node's own calls. */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { PlainFiles } from "./plain-files.ts";

export const nodePlainFiles: PlainFiles = {
  read: (path) => readFileSync(path),
  write(path, bytes, how) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    if (how?.isExecutable) chmodSync(path, statSync(path).mode | 0o111);
  },
  link(path, target) {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};
