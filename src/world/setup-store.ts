/**
 * The port to what setups leave in a checkout (installed packages, generated files): kept under a key, and put into
 * the next checkout instead of being made again.
 *
 * Only what is new in a folder is kept. A setup that changed or removed a file that was there, or left nothing in the
 * folder because it works elsewhere, has to be run each time.
 */
export interface SetupStore {
  /** Where it keeps them: not to be written to by any program that is verified. */
  readonly folder: string;
  /** False, with the folder as it was, when nothing is kept under the key that fits into it. */
  restore(at: KeptSetup): Promise<boolean>;
  /** Looks at a checkout before its setup is run. */
  look(folder: string): Promise<FolderBefore>;
}

export interface KeptSetup {
  readonly key: string;
  readonly folder: string;
}

export interface FolderBefore {
  /** Keeps what is new since. False when that cannot be put elsewhere and do the same. */
  keep(key: string): Promise<boolean>;
}
