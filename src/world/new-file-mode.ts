/** The mode that this user gives to new files. */
export function newFileMode(): number {
  return 0o666 & ~process.umask();
}
