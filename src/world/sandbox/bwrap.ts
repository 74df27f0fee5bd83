/**
 * Confines a program with bubblewrap. It does the same as `unshare`, for systems that let only known programs make
 * namespaces. Only its newest versions have layers, so it is used without them.
 *
 * Its own process 1 stays in front of the program, so signals are delivered.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { unreachable } from "../../std/assert.ts";
import { harmlessDevices } from "./devices.ts";
import { kernelSettings } from "./kernel-settings.ts";
import { isSeen, planWithoutLayers } from "./mount-plan.ts";
import type { PlannedPlace } from "./planned-place.ts";
import {
  confinementHeld,
  environmentRepairs,
  reportDescriptor,
  type Sandbox,
  type SandboxedCommand,
  type SandboxRequest,
  systemProgram,
} from "./sandbox.ts";
import { makeShallowCopy } from "./shallow-copy.ts";

export const bwrap: Sandbox = { name: "bwrap", hasLayers: false, wrap };

function wrap(request: SandboxRequest): SandboxedCommand | undefined {
  const [program, env, sh] = ["bwrap", "env", "sh"].map(systemProgram);
  if (!program || !env || !sh) return undefined;
  const { layerFolder } = request;
  const places = planWithoutLayers(request);
  const args = [
    ...["--ro-bind", "/", "/", "--unshare-pid", "--unshare-ipc", "--proc", "/proc", "--die-with-parent"],
    ...["--dev", "/dev", ...harmlessDevices().flatMap((path) => ["--dev-bind", path, path])],
    // bwrap covers these itself only if it sees that it may write to the folder.
    ...kernelSettings().flatMap((path) => ["--ro-bind", path, path]),
    // Root would keep the capabilities to undo the mounts; other users have nothing to drop.
    ...["--unshare-user", "--cap-drop", "ALL"],
    ...places.flatMap((place, at) => bindOf(place, join(request.layerFolder, String(at)))),
    ...(isSeen(layerFolder, places) ? ["--tmpfs", layerFolder, "--remount-ro", layerFolder] : []),
    ...["--chdir", request.folder, "--", sh, "-c", script, "sh"],
    ...[env, ...environmentRepairs(request.environment), ...request.argv],
  ];
  return { argv: [program, ...args] };
}

/** `own` is a path for this place alone; nothing is there yet. */
function bindOf(place: PlannedPlace, own: string): string[] {
  const { path, is } = place;
  switch (is) {
    case "writable":
      return ["--bind", path, path];
    case "read-only":
    case "layer":
      return ["--ro-bind", path, path];
    case "shallow copy":
      makeShallowCopy(path, own, place.copiedBytesMax);
      return ["--bind", own, path];
    case "empty":
      mkdirSync(own, { recursive: true });
      return ["--bind", own, path];
    default:
      return unreachable(is);
  }
}

/** bwrap mounts everything or starts nothing. */
const script = `echo ${confinementHeld} >&${reportDescriptor}; exec "$@" ${reportDescriptor}>&-`;
