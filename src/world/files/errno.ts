/** The errno name of a failed system call ("ENOENT", …); `undefined` for any other kind of error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

/** Whether the disk or a quota refused: retrying is pointless until a person frees space or repairs it. */
export function isDiskRefusal(errno: string | undefined): boolean {
  return errno !== undefined && ["ENOSPC", "EDQUOT", "EROFS", "EIO"].includes(errno);
}

/**
 * Runs `act` and returns `undefined` when it fails with `errno`, for work that another process may have done already.
 */
export function tolerating<T>(errno: string, act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (errnoOf(error) !== errno) throw error;
    return undefined;
  }
}
