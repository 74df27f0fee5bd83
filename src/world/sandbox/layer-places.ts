/**
 * The places that turn a folder into a layer: usually just the folder itself.
 *
 * In a user namespace the kernel puts no overlay over a folder that has something mounted in it, and on most machines
 * something is mounted in /run. Such a folder is replaced by one of the program's own, with copies of its files and
 * with its subfolders as separate layers, and so on down to what is mounted.
 */
import { accessSync, constants, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../../std/is-inside.ts";
import type { PlannedPlace } from "./planned-place.ts";

/** Each folder costs one mount every time a program starts. */
const entriesMax = 500;
/** Larger files are shown as they are, read-only. A folder full of small ones takes 32 MB at most, each time. */
const copiedBytesMax = 64_000;

export interface LayerPlaceOptions {
  readonly path: string;
  /** All mount points of the machine. */
  readonly mounted: readonly string[];
  /** What becomes of a folder with too many entries to copy. */
  readonly otherwise: "empty" | "read-only";
}

export function layerPlaces({ path, mounted, otherwise }: LayerPlaceOptions): PlannedPlace[] {
  if (!mounted.some((point) => isInside(point, path)))
    return [{ path, is: canBeLayer(path) ? "layer" : "read-only" }];
  const names = isReadable(path) ? readdirSync(path) : [];
  if (names.length > entriesMax) return [{ path, is: otherwise }];
  const inner = names.map((name) => join(path, name)).filter((one) => !mounted.includes(one));
  return [
    { path, is: "shallow copy", copiedBytesMax },
    ...inner.flatMap((one) => placesOf({ path: one, mounted, otherwise: "read-only" })),
  ];
}

/** The places for one entry of a copied folder. What is unreadable or gone by now does not exist for the program. */
function placesOf(options: LayerPlaceOptions): PlannedPlace[] {
  const { path } = options;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat || !isReadable(path)) return [];
  if (stat.isDirectory()) return layerPlaces(options);
  return stat.isFile() && stat.size > copiedBytesMax ? [{ path, is: "read-only" }] : [];
}

export function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** `mount` gets the path in a list of options, where these characters have another meaning. */
function canBeLayer(path: string): boolean {
  return !/[,:\\"\s]/.test(path);
}
