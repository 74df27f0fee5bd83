/**
 * A digest of what setup commands depend on: all manifests and lock files in the tree. If the tree has none that we know,
 * the whole tree counts, and no earlier setup is reused.
 */
import type { Repository } from "../../git/repository.ts";
import type { TreeId } from "../../std/object-id.ts";
import { sha256 } from "../../world/files/hash.ts";

export async function setupDigest(
  repository: Repository,
  tree: TreeId,
  setup: readonly string[],
): Promise<string> {
  if (setup.length === 0) return "";
  const contents = [...(await repository.contents(tree))];
  const known = contents.filter(([path]) => manifests.has(path.slice(path.lastIndexOf("/") + 1)));
  return sha256(JSON.stringify(known.length > 0 ? known.sort() : tree));
}

const manifests: ReadonlySet<string> = new Set([
  "package.json",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "yarn.lock",
  "bun.lock",
  ".npmrc",
  "Cargo.toml",
  "Cargo.lock",
  "go.mod",
  "go.sum",
  "pyproject.toml",
  "poetry.lock",
  "uv.lock",
  "requirements.txt",
  "Pipfile.lock",
  "Gemfile",
  "Gemfile.lock",
  "composer.json",
  "composer.lock",
]);
