/** The names in each folder of a tree whose files are all known. `""` is the root; a missing folder has no names. */
export function folderNames(files: Iterable<string>): (folder: string) => readonly string[] {
  const byFolder = new Map<string, Set<string>>();
  for (const file of files) {
    for (let path = file; path !== ""; ) {
      const end = path.lastIndexOf("/");
      const folder = path.slice(0, Math.max(end, 0));
      const names = byFolder.get(folder);
      // If a folder is known, so are all its parents.
      byFolder.set(folder, (names ?? new Set()).add(path.slice(end + 1)));
      if (names) break;
      path = folder;
    }
  }
  return (folder) => [...(byFolder.get(folder) ?? [])];
}
