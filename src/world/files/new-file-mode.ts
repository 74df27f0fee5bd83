/** The mode of new files under this user's umask. */
export function newFileMode(): number {
  return 0o666 & ~process.umask();
}
