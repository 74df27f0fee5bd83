/** A path, and how a confined program sees it. */
export type PlannedPlace = { readonly path: string } & (
  | { readonly is: PlaceKind }
  /**
   * The program's own copy of a file or folder. In a folder's copy, files up to a size are copied and subfolders are
   * empty.
   */
  | { readonly is: "shallow copy"; readonly copiedBytesMax: number }
);

/** `empty`: a folder with nothing in it. Like a shallow copy, it replaces a layer where the system cannot make one. */
export type PlaceKind = "writable" | "read-only" | "layer" | "empty";
