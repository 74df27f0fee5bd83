/** Whether an absolute path is inside a folder, judged by the text alone: the caller has already resolved links. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`) && path !== folder;
}

export function isAtOrInside(path: string, folder: string): boolean {
  return path === folder || isInside(path, folder);
}
