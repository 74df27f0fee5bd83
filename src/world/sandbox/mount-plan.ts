/**
 * Plans how a confined program sees each place. Everything is read-only to begin with. Single places are mounted over
 * that, deeper ones over those around them: writable, read-only, or a layer.
 *
 * A layer shows what is there, takes every change, and is gone when the program ends. No socket can be reached through
 * a layer, so the program cannot ask a daemon of the user's to do what it may not do itself.
 */
import { realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isAtOrInside, isInside } from "../../std/is-inside.ts";
import { layerPlaces } from "./layer-places.ts";
import type { Mount } from "./mount-table.ts";
import { packageCaches, packageHomes } from "./package-caches.ts";
import type { PlaceKind, PlannedPlace } from "./planned-place.ts";
import type { SandboxRequest } from "./sandbox.ts";

type PlanRequest = Omit<SandboxRequest, "layerFolder"> & Partial<Pick<SandboxRequest, "layerFolder">>;

/** Where programs put temporary files without asking, and where daemons listen. */
const passing = ["/tmp", "/var/tmp", "/run"];

export function planWithLayers(request: PlanRequest, table: readonly Mount[]): readonly PlannedPlace[] {
  const { environment, confinement } = request;
  const { HOME = "", TMPDIR = "" } = environment;
  const mounted = table.map(({ point }) => point);
  const forAWhile = presentFolders([TMPDIR, ...passing]);
  const kept = presentFolders([HOME, ...(confinement.thrownAway ?? [])]);
  const layers = [...forAWhile, ...kept];
  const layered = [
    ...forAWhile.flatMap((path) =>
      isBusyAndMountedIn(path, mounted)
        ? planned("empty", [path])
        : layerPlaces({ path, mounted, otherwise: "empty" }),
    ),
    ...kept.flatMap((path) => layerPlaces({ path, mounted, otherwise: "read-only" })),
  ];
  const emptied = layered.filter(({ is }) => is === "empty").map(({ path }) => path);
  // A layer does not cover what is mounted inside it. Below /run that is just as well: daemons listen there.
  const apart = mounted.filter(
    (point) =>
      layers.some((layer) => isInside(point, layer) && !emptied.includes(layer)) && !isInside(point, "/run"),
  );
  return inOrder([
    ...planned("read-only", apart),
    ...planned("read-only", shownAgain(request, emptied)),
    ...layered,
    ...planned("read-only", present(confinement.readOnly)),
    ...planned("writable", present(confinement.writable)),
    ...planned("empty", hidden(request, layers)),
  ]);
}

/**
 * A folder with something mounted in it cannot be a single layer; each of its subfolders would need its own. Folders
 * for temporary files come and go all the time, and one that disappears while the sandbox is set up makes it fail.
 */
function isBusyAndMountedIn(path: string, mounted: readonly string[]): boolean {
  return path !== "/run" && mounted.some((point) => isInside(point, path));
}

/** Hides the layer folders. A program that copied its own layer would copy the copy, and so on forever. */
function hidden({ layerFolder }: PlanRequest, layers: readonly string[]): string[] {
  const own = layerFolder === undefined ? [] : present([layerFolder]);
  return own.map((path) => (layers.includes(dirname(path)) ? path : dirname(path)));
}

export function planWithoutLayers(request: PlanRequest): readonly PlannedPlace[] {
  const { environment, confinement } = request;
  const { HOME = "", TMPDIR = "" } = environment;
  const emptied = presentFolders([TMPDIR, ...passing]);
  const { copied, obeyed } = packageHomes(HOME);
  return inOrder([
    ...planned("read-only", shownAgain(request, emptied)),
    ...planned("empty", emptied),
    ...present([...(confinement.copiedWithoutLayers ?? []), ...copied]).map(programCopy),
    ...planned("writable", present(packageCaches(HOME))),
    ...planned("read-only", present([...confinement.readOnly, ...(confinement.thrownAway ?? []), ...obeyed])),
    ...planned("writable", present(confinement.writable)),
  ]);
}

/** What a program needs from the emptied folders; everything else is visible anyway. */
function shownAgain({ argv, folder, environment }: PlanRequest, emptied: readonly string[]): string[] {
  const { HOME = "", PATH = "" } = environment;
  const needed = [
    ...[HOME, folder, ...PATH.split(":"), ...neededInRun],
    ...argv.filter((word) => word.startsWith("/")).map((path) => dirname(path)),
  ];
  return present(needed).filter((path) => emptied.some((place) => isInside(path, place)));
}

/** Whether an existing path is visible despite the emptied folders. */
export function isSeen(path: string, places: readonly PlannedPlace[]): boolean {
  return places.findLast((place) => isAtOrInside(path, place.path))?.is !== "empty";
}

/** Host name lookup, and where NixOS keeps its programs. */
const neededInRun = ["/etc/resolv.conf", "/run/current-system", "/run/booted-system", "/run/opengl-driver"];

/** Enough for settings and small databases; a history that has grown past this is left out. */
const copiedBytesMax = 16_000_000;

function programCopy(path: string): PlannedPlace {
  return { path, is: "shallow copy", copiedBytesMax };
}

function planned(is: PlaceKind, paths: readonly string[]): PlannedPlace[] {
  return paths.map((path) => ({ path, is }));
}

/** If a path is listed several times, the last entry counts. An entry like the place around it is dropped. */
function inOrder(places: readonly PlannedPlace[]): PlannedPlace[] {
  const byPath = new Map(places.map((place) => [place.path, place]));
  const ordered = [...byPath.values()].sort((one, other) => one.path.length - other.path.length);
  const around = (path: string) => ordered.findLast((place) => isInside(path, place.path))?.is ?? "read-only";
  // A shallow copy shows nothing of the content of its subfolders.
  return ordered.filter(({ path, is }) => is === "shallow copy" || around(path) !== is);
}

/** The real paths of those that exist. */
function present(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => realOf(path) ?? []))];
}

function presentFolders(paths: readonly string[]): string[] {
  return present(paths).filter((path) => path !== "/" && statSync(path).isDirectory());
}

function realOf(path: string): string | undefined {
  if (!path.startsWith("/")) return undefined;
  try {
    return realpathSync(path);
  } catch {
    // It does not exist, or we may not look: then the program may not either.
    return undefined;
  }
}
