/** The port to signs that something in a folder changed. They are hints: whoever hears one looks for himself. */
export interface FolderWatch {
  /**
   * Calls soon after a name in the folder at `path` appeared, vanished or was written; not for what lies deeper. Holds no
   * process. Nothing where this system cannot tell, or the folder is not there.
   */
  watch(path: string, call: () => void): WatchedFolder | undefined;
}

export interface WatchedFolder {
  /**
   * A sign is there as soon as the change is made, to be fetched by the next turn of the loop. Else it may come late, or
   * not at all.
   */
  readonly isPrompt: boolean;
  stop(): void;
}
