/**
 * Places outside the desks that agents and verify commands may change permanently, because the plan or the configuration
 * says so (`also-writable`). Guarded paths inside them stay guarded. A place that contains the user's home, the
 * repository or our own folders is refused before a run starts.
 */
import { isAbsolute, join } from "node:path";
import type { RunSettings } from "../../kernel/run-started.ts";
import { isAtOrInside } from "../../std/is-inside.ts";
import { quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import type { Ports } from "../loop/ports.ts";
import type { RunWorld } from "../run-world.ts";

type Opened = Pick<RunSettings, "also_writable">;

export function openedPlaces({ also_writable = [] }: Opened, home: string): string[] {
  return also_writable.map((path) => (path.startsWith("~/") ? join(home, path.slice(2)) : path));
}

/** The first place that would open too much. */
export function tooWideOpening(
  { home, repository, guarded }: Pick<RunWorld, "home" | "repository" | "guarded">,
  settings: Opened,
): Problem | undefined {
  const kept = [home, repository.root, ...repository.guarded, ...guarded].filter(isAbsolute);
  const wide = openedPlaces(settings, home).flatMap((path) => {
    const inside = kept.find((place) => isAtOrInside(place, path));
    return inside === undefined ? [] : [{ path, inside }];
  })[0];
  return (
    wide && {
      code: "SETTING_TOO_WIDE",
      message: `also-writable: ${quote(wide.path)} would open ${quote(wide.inside)} to agents and verify commands`,
      hint: "Name only the folder that they need.",
    }
  );
}

/**
 * Places that no process of a run may write to, except the folders inside them that a turn or a verification is given.
 */
export function readOnlyPlaces({ repository, guarded = [] }: Ports): string[] {
  return [repository.root, ...repository.guarded, ...guarded];
}
