/** The errno name of a failed system call ("ENOENT", …); nothing when the error is of another kind. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return /^E[A-Z0-9]+$/.test(error.code) ? error.code : undefined;
}

/** For what another process may have done already. */
export function tolerating(errno: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (errnoOf(error) !== errno) throw error;
  }
}
