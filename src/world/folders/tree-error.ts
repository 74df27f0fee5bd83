/** What can be wrong in a folder tree, as an error that carries the problem in words for people. */
import { counted, grouped } from "../../std/counted.ts";
import type { Problem } from "../../std/problem.ts";
import { errnoOf } from "../files/errno.ts";

/** Something in the tree is not as it must be; `code` is the problem's. */
export class TreeError extends Error {
  override name = "TreeError";
  readonly code: string;

  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(problem.message, options);
    this.code = problem.code;
  }
}

/** Turns a refusal by the system into a problem with the path; any other error is returned unchanged. */
export function treeErrorFrom(path: string, error: unknown): unknown {
  const code = errnoOf(error);
  if (code === "ENOENT" && path === "") return rootProblem("the root", error);
  if (code === "EXDEV") return new TreeError(crossDevice(path), { cause: error });
  if (code === "ELOOP") return new TreeError(linkProblem(path, "somewhere else"), { cause: error });
  if (code === "ENXIO") return new TreeError(irregularFile(path), { cause: error });
  if (code !== "EACCES" && code !== "EPERM" && code !== "EROFS") return error;
  return new TreeError(notPermitted(path, code), { cause: error });
}

export function notPermitted(path: string, code: string): Problem {
  return {
    code: "PATH_EPERM",
    path,
    message: `${path} may not be changed by this user (${code})`,
    hint: "Look at its owner, mode and attributes (ls -l, lsattr), and at those of its folder.",
  };
}

export function crossDevice(path: string): Problem {
  return {
    code: "PATH_CROSS_DEVICE",
    path,
    message: `${path} is on another file system (a mount point), where a replacement would not be atomic`,
    hint: "Apply the reply with --root set to that file system, or leave this path out.",
  };
}

export function rootProblem(path: string, cause: unknown): TreeError {
  const problem = {
    code: "ROOT_GONE",
    path,
    message: `the root ${path} is not a folder that can be opened (${errnoOf(cause) ?? "unknown error"})`,
    hint: "Check the path given with --root.",
  };
  return new TreeError(problem, { cause });
}

export function linkProblem(path: string, target: string): Problem {
  return {
    code: "PATH_SYMLINK",
    path,
    message: `${path} is a symbolic link to ${JSON.stringify(target)}; links are never followed`,
    hint: "If the target is inside the root, use its real path instead.",
  };
}

export function irregularFile(path: string): Problem {
  return {
    code: "PATH_NOT_REGULAR",
    path,
    message: `${path} is not a regular file (a pipe, socket or device)`,
    hint: "Only regular files are read and written. Choose another path.",
  };
}

export function fileTooLarge(path: string, size: number, bytesMax: number): Problem {
  return {
    code: "LIMIT_FILE",
    path,
    message: `${path} has ${counted(size, "byte")}; the limit is ${grouped(bytesMax)}`,
    hint: "Files this large are not edited by replies. Change it by other means.",
  };
}
