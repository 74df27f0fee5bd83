import { type Finding, folderOf, type TextFile } from "./rule.ts";

/**
 * ARCHITECTURE.md is the map of `src`: every folder is on it (as `name/`), and every folder on it exists (as
 * `src/name/`, or in a drawing as `── name/` below `src/`).
 */
export function mapMatchesFolders(files: readonly TextFile[]): Finding[] {
  const map = files.find(({ path }) => path === "ARCHITECTURE.md")?.text;
  if (map === undefined) return [];
  const folders = new Set(
    files.filter(({ path }) => /^src\/[^/]+\//.test(path)).map(({ path }) => folderOf(path)),
  );
  const drawn = [...map.matchAll(/\bsrc\/([a-z-]+)\/|^[├└]── ([a-z-]+)\//gm)].map(
    ([, inText, inTree]) => inText ?? inTree,
  );
  return [
    ...[...folders]
      .filter((folder) => !new RegExp(`(^|[^\\w-])${folder}/`, "m").test(map))
      .map((folder) => `ARCHITECTURE.md does not mention ${folder}/`),
    ...[...new Set(drawn)]
      .filter((folder) => folder !== undefined && !folders.has(folder))
      .map((folder) => `ARCHITECTURE.md shows src/${folder}/, which does not exist`),
  ];
}
