/**
 * Finds the file that a program's name stands for, as execvp(3) does, before anything is started.
 *
 * Node reports ENOENT for a missing program, a missing folder and a missing interpreter alike; a person needs to know
 * which.
 */
import { accessSync, constants, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { errnoOf } from "../../files/errno.ts";

export type FoundProgram =
  | { readonly path: string }
  | { readonly path?: never; readonly errno: string; readonly message: string };

export interface ProgramName {
  readonly name: string;
  readonly folder: string;
  /** The PATH to search, when the name has no slash. */
  readonly path: string;
}

export function findProgram({ name, folder, path }: ProgramName): FoundProgram {
  const inFolder = whyNoFolder(folder);
  if (inFolder)
    return { errno: inFolder, message: `the working folder ${folder} cannot be used (${inFolder})` };
  if (name.includes("/")) {
    const file = resolve(folder, name);
    const why = whyNotExecutable(file);
    return why ? { errno: why, message: `${name} cannot be run: ${said[why] ?? why}` } : { path: file };
  }
  return searchPath({ name, folder, path });
}

function searchPath({ name, folder, path }: ProgramName): FoundProgram {
  let errno = "ENOENT";
  for (const part of name === "" ? [] : path.split(":")) {
    const file = join(isAbsolute(part) ? part : resolve(folder, part), name);
    if (isNowhere(file)) continue;
    const why = whyNotExecutable(file);
    if (why === undefined) return { path: file };
    if (why !== "ENOENT" && why !== "ENOTDIR") errno = why;
  }
  return {
    errno,
    message: `${name} cannot be run: ${errno === "ENOENT" ? "it is in no folder of PATH" : (said[errno] ?? errno)}`,
  };
}

const said: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is not a folder",
  EACCES: "it is not executable for this user",
  EISDIR: "it is a folder",
};

function whyNotExecutable(file: string): string | undefined {
  return errnoOfCall(() => {
    if (statSync(file).isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    accessSync(file, constants.X_OK);
  });
}

/** Most folders of PATH do not have it: throwing an error for each would cost more than this check. */
function isNowhere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function whyNoFolder(folder: string): string | undefined {
  return errnoOfCall(() => {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error("no folder"), { code: "ENOTDIR" });
  });
}

function errnoOfCall(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return errnoOf(error) ?? "EINVAL";
  }
}
