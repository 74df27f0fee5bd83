/**
 * Where things are: the user's repository, and what we keep beside it in the cache folder.
 *
 * The coordinator has a git directory of its own (`home`), whose configuration holds only what decides bytes. It
 * writes objects straight into the user's object store (GIT_OBJECT_DIRECTORY) rather than into one of its own that
 * borrows from there: the run's branch is a branch of the user's repository, so its objects must be there in the end,
 * and a copy at the end would be a second thing that can fail.
 */
export interface Place {
  /** The user's checkout, links resolved. */
  readonly root: string;
  /** Of this checkout: its HEAD and index. In a linked worktree it is not the common one. */
  readonly gitDir: string;
  /** With the refs and the configuration. */
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /** Ours: git directory, indexes of the desks, objects that only a merge needs. */
  readonly home: string;
  /** The checkouts that agents work in, `RUN/NAME` below it. Apart from `home`, which no agent may write. */
  readonly desks: string;
}

/** Of a run or a desk: it becomes a folder and part of a ref, so it can be no option, no `..`, no hidden name. */
export function isSafeName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !name.includes("..") && !/(\.|\.lock)$/.test(name);
}

export function deskFolder({ desks }: Place, run: string, name: string): string {
  return `${desks}/${run}/${name}`;
}

/** Where we keep what we know of a desk: outside of it, so that nothing at the desk is ever believed. */
export function deskState({ home }: Place, run: string, name: string): string {
  return `${home}/desks/${run}/${name}`;
}
