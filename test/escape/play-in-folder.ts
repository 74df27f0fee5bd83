/**
 * Starts this program again as a coordinator that inherits an open folder of the user's, as from a careless parent, and
 * removes everything afterwards.
 */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leftOpen, repositoryIn, secret } from "./scene.ts";

export function playInFolder(args: readonly string[]): number {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cox-escape-")));
  const repository = repositoryIn(root);
  mkdirSync(repository, { recursive: true });
  const folder = openSync(repository, "r");
  try {
    const nothing = Array<"ignore">(leftOpen - 3).fill("ignore");
    const { status } = spawnSync(process.execPath, [process.argv[1] ?? "", ...args, "--in", root], {
      env: { ...process.env, COX_ESCAPE_SECRET: secret },
      stdio: ["ignore", "inherit", "inherit", ...nothing, folder],
    });
    return status ?? 1;
  } finally {
    closeSync(folder);
    rmSync(root, { recursive: true, force: true });
  }
}
