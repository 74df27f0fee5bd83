/**
 * The port to notifications that something in a folder changed. They are only hints: whoever gets one checks for
 * itself.
 */
export interface FolderWatch {
  /**
   * Calls `call` soon after a name in the folder at `path` appears, vanishes or is written; deeper changes do not
   * count. Does not keep the process alive. `undefined` when the system cannot watch or the folder does not exist.
   */
  watch(path: string, call: () => void): WatchedFolder | undefined;
}

export interface WatchedFolder {
  /**
   * True if a notification is ready as soon as the change is made, for the next turn of the event loop to pick up.
   * Otherwise it may come late or not at all.
   */
  readonly isPrompt: boolean;
  stop(): void;
}
