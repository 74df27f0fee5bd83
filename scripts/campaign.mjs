/**
 * `npm run campaign`: the large tests at their full size. It runs the test files that import `test/sized.ts`, whose
 * `sized({ sample, campaign })` then answers with the campaign's number; nothing is listed here.
 * `npm run campaign -- sim crash` runs these layers only. The last line is the count.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runLayers, usualLayers } from "./layers.mjs";

const house = dirname(dirname(fileURLToPath(import.meta.url)));
await runLayers({
  asked: process.argv.slice(2),
  usual: usualLayers,
  only: (path) => isSized(path),
  environment: { COX_CAMPAIGN: "1" },
});

/** Whether this file imports `test/sized.ts`, itself or by something that it imports. */
function isSized(path, seen = new Set()) {
  if (path === "test/sized.ts") return true;
  if (seen.has(path)) return false;
  seen.add(path);
  return importsOf(path).some((imported) => isSized(imported, seen));
}

/** The files of the house that are loaded with this one; a type loads nothing. */
function importsOf(path) {
  const full = join(house, path);
  if (!path.endsWith(".ts") || !existsSync(full)) return [];
  const text = readFileSync(full, "utf8");
  const statements = text.matchAll(/^\s*(?:import|export) (?!type )(?:[^;"]*? from )?"(\.[^"]+)";$/gm);
  const calls = text.matchAll(/\bimport\("(\.[^"]+)"\)/g);
  return [...statements, ...calls].map(([, target]) => join(dirname(path), target));
}
