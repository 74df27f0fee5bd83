/** What is at a desk and cannot be taken, in a person's words. */
import { counted, grouped } from "../std/counted.ts";
import { oneLine, quote } from "../std/printable.ts";
import type { Problem } from "../std/problem.ts";
import { type BytePath, textOfBytePath } from "../world/byte-path.ts";
import type { Captured } from "./repository.ts";

export type Unfit = Captured["unfit"][number];

export function nestedRepository(path: BytePath): Unfit {
  return unfit(
    path,
    "PATH_NESTED_REPO",
    "is a git repository of its own; what is in it would not be part of this one",
  );
}

export function notRegular(path: BytePath): Unfit {
  return unfit(path, "PATH_NOT_REGULAR", "is a pipe, socket or device, which no commit can hold");
}

export function straying(path: BytePath, how: string): Unfit {
  return unfit(path, "PATH_SYMLINK", `is a link that ${how}`);
}

export function ours(path: BytePath): Unfit {
  return unfit(path, "PATH_PROTECTED", "is Coxswain's own; nothing that an agent writes there is taken");
}

export function tooLarge(path: BytePath, { size, bytesMax }: { size: number; bytesMax: number }): Unfit {
  return unfit(path, "LIMIT_FILE", `has ${counted(size, "byte")}; the limit is ${grouped(bytesMax)}`);
}

export function tooMuch(path: BytePath, bytesMax: number): Unfit {
  return unfit(
    path,
    "LIMIT_TOTAL",
    `and the new files before it are larger than ${counted(bytesMax, "byte")} together`,
  );
}

export function refusedByGit(path: BytePath): Unfit {
  return unfit(path, "PATH_PROTECTED", "has a name that git itself refuses");
}

export function notUtf8(path: BytePath): Unfit {
  return unfit(path, "PATH_ILL_FORMED", "has a name that is not UTF-8");
}

/** The problem names the path itself. */
export function notCanonical(path: BytePath, { code, message }: Problem): Unfit {
  return { path: shown(path), code, message };
}

function unfit(path: BytePath, code: string, what: string): Unfit {
  return { path: shown(path), code, message: `${quote(textOfBytePath(path) ?? path)} ${what}` };
}

function shown(path: BytePath): string {
  return oneLine(textOfBytePath(path) ?? path);
}
