/**
 * The port to stored setup results: what a setup leaves in a checkout (installed packages, generated files) is kept
 * under a key and put into the next checkout instead of being made again.
 *
 * Only new files are kept. A setup that changed or removed an existing file, or left nothing in the folder because it
 * works elsewhere, has to run each time.
 */
export interface SetupStore {
  /** Where results are kept. No program being verified may write there. */
  readonly folder: string;
  /** Returns false, and leaves the folder as it was, when nothing that fits is kept under the key. */
  restore(at: KeptSetup): Promise<boolean>;
  /** Takes a snapshot of a checkout before its setup runs. */
  look(folder: string): Promise<FolderBefore>;
}

export interface KeptSetup {
  readonly key: string;
  readonly folder: string;
}

export interface FolderBefore {
  /** Keeps what is new since the snapshot. Returns false when it could not be kept or would not work elsewhere. */
  keep(key: string): Promise<boolean>;
}
