/** A path inside the root in its one canonical spelling: relative, `/` between components, NFC, no `.` or `..`. */
export type TreePath = string & { readonly brand: "TreePath" };
