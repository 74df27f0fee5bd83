/** Files as any program reads and writes them, by Node's own calls. */
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errnoOf } from "./errno.ts";
import type { PlainFiles } from "./plain-files.ts";

export const nodePlainFiles: PlainFiles = {
  read: (path) => readFileSync(path),
  write(path, bytes, how) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    if (how?.isExecutable) chmodSync(path, statSync(path).mode | 0o111);
  },
  list(path) {
    try {
      return readdirSync(path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return [];
      throw error;
    }
  },
  makeFolder: (path) => void mkdirSync(path, { recursive: true }),
  link(path, target) {
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  },
  remove: (path) => rmSync(path, { recursive: true, force: true }),
};
