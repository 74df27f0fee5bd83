/**
 * Where things are: the user's repository, and what we keep for it in the cache folder.
 *
 * The coordinator has its own git directory (`home`), whose configuration holds only what affects file contents. It
 * writes objects straight into the user's object store (GIT_OBJECT_DIRECTORY), not into a store of its own that borrows
 * from there. The run's branch is a branch of the user's repository, so its objects must end up there anyway, and
 * copying them at the end would be one more step that can fail.
 */
export interface CheckoutPaths {
  /** The user's checkout, links resolved. */
  readonly root: string;
  /** Git directory of this checkout, with its HEAD and index. In a linked worktree it is not the common one. */
  readonly gitDir: string;
  /** Git directory with the refs and the configuration. */
  readonly commonDir: string;
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
  /** Ours: our git directory, the desks' indexes, and objects that only a merge needs. */
  readonly home: string;
  /** The checkouts that agents work in, as `RUN/NAME`. Separate from `home`, which no agent may write to. */
  readonly desks: string;
}

/**
 * Checks the name of a run or a desk. It becomes a folder and part of a ref, so it must not be an option, `..` or a
 * hidden name.
 */
export function isSafeName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !name.includes("..") && !/(\.|\.lock)$/.test(name);
}

export function deskFolder({ desks }: CheckoutPaths, run: string, name: string): string {
  return `${desks}/${run}/${name}`;
}

/** Where we keep what we know about a desk: outside of it, because nothing at the desk is trusted. */
export function deskState({ home }: CheckoutPaths, run: string, name: string): string {
  return `${home}/desks/${run}/${name}`;
}
