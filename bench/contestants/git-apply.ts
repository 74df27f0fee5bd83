/**
 * `git apply` of one patch that creates all the files, then `sync -f`, as a shell script would do. It stops before the
 * first write if the patch does not fit, but a crash in the middle leaves half of it.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { FileSet } from "../file-set.ts";

/** Not measured: the patch is given, as the contents are for the others. */
export function writePatch(patch: string, { files }: FileSet): void {
  writeFileSync(patch, files.map(newFile).join(""));
}

export function applyPatch(root: string, patch: string): void {
  execFileSync("git", ["apply", "--whitespace=nowarn", patch], {
    cwd: root,
    // The folder is not a repository and must not be taken for a part of one above it.
    env: { ...process.env, GIT_DIR: "/dev/null" },
  });
  execFileSync("sync", ["-f", root]);
}

function newFile({ path, bytes }: FileSet["files"][number]): string {
  const lines = new TextDecoder().decode(bytes).split("\n").slice(0, -1);
  return [
    `diff --git a/${path} b/${path}`,
    "new file mode 100644",
    "--- /dev/null",
    `+++ b/${path}`,
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
    "",
  ].join("\n");
}
