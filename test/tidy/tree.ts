/** The repository as the rules see it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TextFile } from "./rule.ts";

/** The root of the repository this file is in. */
export const house = fileURLToPath(new URL("../../", import.meta.url));

/** Every text file of the repository: what git tracks, and what it would add now. */
export function tree(): TextFile[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: house,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  return listed
    .split("\0")
    .filter((path) => path !== "" && existsSync(house + path))
    .map((path) => ({ path, text: readFileSync(house + path, "utf8") }));
}
