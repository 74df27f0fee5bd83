/**
 * Tries what a changeset needs (sync, links, locks) on the root's own file system, in a separate folder that is removed
 * afterwards.
 */
import type { DoctorFinding } from "../../view/text/finding.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { File, Files, Folder } from "../../world/files/files.ts";

export interface Probed {
  readonly files: Files;
  readonly root: string;
}

export function probe({ files, root }: Probed): DoctorFinding[] {
  const at = files.openRoot(root);
  try {
    const writable = attempt("writable", () => files.makeFolder(at, probeName), unwritable(root));
    if (writable.state === "blocks") return [writable];
    const folder = files.openFolder(at, probeName);
    try {
      return [writable, ...trials(files, at, folder)];
    } finally {
      for (const name of files.list(folder)) files.unlink(folder, name);
      files.close(folder);
      files.removeFolder(at, probeName);
    }
  } finally {
    files.close(at);
  }
}

const probeName = `.coxswain-doctor-${process.pid}`;

function trials(files: Files, at: Folder, folder: Folder): DoctorFinding[] {
  const file = files.open(folder, "probe", "create");
  try {
    files.write(file, new Uint8Array([10]));
    return [
      attempt("fsync", () => sync(files, file, folder), noSync),
      attempt("hard links", () => files.link(folder, "probe", folder, "linked"), noLinks),
      attempt("lock", () => files.lock(file), noLock),
      caseSensitivity(files, folder),
      sameDevice(files, at),
    ];
  } finally {
    files.close(file);
  }
}

function sync(files: Files, file: File, folder: Folder): void {
  files.sync(file);
  files.sync(folder);
}

function caseSensitivity(files: Files, folder: Folder): DoctorFinding {
  const check = "case";
  if (!files.stat(folder, "PROBE")) return { check, state: "healthy", message: "names differ by case" };
  return {
    check,
    state: "advice",
    message: "this file system treats README and Readme as the same file",
    fix: "Nothing to do: replies with names that differ only by case are refused everywhere.",
  };
}

function sameDevice(files: Files, at: Folder): DoctorFinding {
  const check = "own folder";
  const own = files.stat(at, ".coxswain");
  if (!own) return { check, state: "healthy", message: ".coxswain is not there yet" };
  if (own.kind === "folder" && own.device === files.statOf(at).device) {
    return { check, state: "healthy", message: ".coxswain is on the same file system" };
  }
  return {
    check,
    state: "blocks",
    message: own.kind === "folder" ? ".coxswain is on another file system" : `.coxswain is a ${own.kind}`,
    fix: "It must be a folder on the root's own file system: move it away, and cox creates a new one.",
  };
}

type Trouble = Omit<DoctorFinding, "check">;

function attempt(check: string, work: () => unknown, trouble: Trouble): DoctorFinding {
  try {
    work();
    return { check, state: "healthy", message: "works" };
  } catch (error) {
    const errno = errnoOf(error);
    if (!errno) throw error;
    return { check, ...trouble, message: `${trouble.message} (${errno})` };
  }
}

function unwritable(root: string): Trouble {
  const fix = "Look at its owner and mode (ls -ld), and at how it is mounted.";
  return { state: "blocks", message: `nothing can be created in ${root}`, fix };
}

const noSync: Trouble = {
  state: "blocks",
  message: "fsync fails, so changes might not survive a power cut",
  fix: "Use a folder on a local disk.",
};
const noLinks: Trouble = {
  state: "advice",
  message: "hard links do not work here, so a file created at the same moment could be overwritten",
  fix: "Use a file system that supports them, such as ext4, xfs, btrfs or apfs.",
};
const noLock: Trouble = {
  state: "blocks",
  message: "the file cannot be locked, so two processes could write at once",
  fix: "Install util-linux (the flock program) or perl; network shares may need their lock service.",
};
