/** Explains to a person what is at a desk and cannot be captured. */
import { counted, grouped } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type BytePath, textOfBytePath } from "../../world/files/byte-path.ts";
import type { Captured } from "../repository.ts";

export type UnfitFile = Captured["unfit"][number];

export function unfitNestedRepository(path: BytePath): UnfitFile {
  return unfit(
    path,
    "PATH_NESTED_REPO",
    "is a git repository of its own; what is in it would not be part of this one",
  );
}

export function notRegular(path: BytePath): UnfitFile {
  return unfit(path, "PATH_NOT_REGULAR", "is a pipe, socket or device, which no commit can hold");
}

export function straying(path: BytePath, how: string): UnfitFile {
  return unfit(path, "PATH_SYMLINK", `is a link that ${how}`);
}

export function ours(path: BytePath): UnfitFile {
  return unfit(path, "PATH_PROTECTED", "belongs to Coxswain; nothing that an agent writes there is used");
}

export function unfitTooLarge(
  path: BytePath,
  { size, bytesMax }: { size: number; bytesMax: number },
): UnfitFile {
  return unfit(path, "LIMIT_FILE", `has ${counted(size, "byte")}; the limit is ${grouped(bytesMax)}`);
}

export function tooMuch(path: BytePath, bytesMax: number): UnfitFile {
  return unfit(
    path,
    "LIMIT_TOTAL",
    `and the new files before it are larger than ${counted(bytesMax, "byte")} together`,
  );
}

export function refusedByGit(path: BytePath): UnfitFile {
  return unfit(path, "PATH_PROTECTED", "has a name that git itself refuses");
}

export function notUtf8(path: BytePath): UnfitFile {
  return unfit(path, "PATH_ILL_FORMED", "has a name that is not UTF-8");
}

/** The problem's message already names the path. */
export function notCanonical(path: BytePath, { code, message }: Problem): UnfitFile {
  return { path: shown(path), code, message };
}

function unfit(path: BytePath, code: string, what: string): UnfitFile {
  return { path: shown(path), code, message: `${quote(textOfBytePath(path) ?? path)} ${what}` };
}

function shown(path: BytePath): string {
  return oneLine(textOfBytePath(path) ?? path);
}
