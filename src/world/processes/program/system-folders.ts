/** Where the system keeps its programs: folders that belong to the system and not to any user. */
export const systemFolders = [
  "/usr/bin",
  "/bin",
  "/usr/sbin",
  "/sbin",
  "/run/current-system/sw/bin",
] as const;
