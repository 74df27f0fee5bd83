/** The checks of `cox doctor`. Each one asks one port and returns findings. None leaves anything behind. */
import { Peek } from "../../changeset/peek.ts";
import { counted } from "../../std/counted.ts";
import { size } from "../../std/size.ts";
import type { DoctorFinding } from "../../view/text/finding.ts";
import type { Files } from "../../world/files/files.ts";
import type { Machine } from "../../world/machine.ts";
import { failureOf } from "../failure.ts";
import { crewChecks } from "./crew-checks.ts";
import { type AgentsPorts, knownAgents } from "./known-agents.ts";
import { probe } from "./probe.ts";

export interface Patient {
  readonly files: Files;
  readonly machine: Machine;
  readonly agents: AgentsPorts;
  readonly root: string;
}

export function examine(patient: Patient): DoctorFinding[] {
  const { files, agents } = patient;
  const machine = [node(patient), git(patient), walk(patient), confinement(patient)];
  const root = openable(patient);
  if (root.state === "blocks") return [...machine, root];
  const crew = crewChecks(knownAgents(files, patient.root, agents));
  return [...machine, ...crew, root, ...probe(patient), space(patient), ...leftovers(patient)];
}

function node({ machine: { nodeVersion } }: Patient): DoctorFinding {
  if (isAtLeast(nodeVersion, [20, 19])) return healthy("node", `Node ${nodeVersion}`);
  return {
    check: "node",
    state: "blocks",
    message: `Node ${nodeVersion} is too old; 20.19 or newer is needed`,
    fix: "Install a newer one: https://nodejs.org, or: nvm install 22",
  };
}

/** Only runs need git, so a missing git blocks nothing else. */
function git({ agents: { programs } }: Patient): DoctorFinding {
  const version = programs.ask("git", "--version")?.match(/\d+(\.\d+)+/)?.[0];
  if (version === undefined) {
    const fix = "Runs need git; install it: https://git-scm.com/downloads";
    return { check: "git", state: "advice", message: "git is not installed", fix };
  }
  if (isAtLeast(version, [2, 39])) return healthy("git", `git ${version}`);
  const fix = "Install a newer one: https://git-scm.com/downloads";
  return { check: "git", state: "advice", message: `git ${version} is older than 2.39`, fix };
}

function walk({ machine }: Patient): DoctorFinding {
  if (machine.hasDescriptorWalk()) return healthy("path walk", "folders are pinned by descriptor");
  return {
    check: "path walk",
    state: "advice",
    message:
      "/proc/self/fd is not available, so a folder replaced by a link at the wrong moment would be followed",
    fix: "Mount /proc (Linux). On macOS, do not let other programs rearrange the folder while cox works.",
  };
}

function confinement({ machine }: Patient): DoctorFinding {
  if (machine.canConfine() && machine.hasLayers())
    return healthy("confinement", "agents can only change their desks permanently");
  if (machine.canConfine())
    return {
      check: "confinement",
      state: "advice",
      message:
        "agents cannot write to your repository, but can change package caches permanently and reach sockets in your home: this system cannot discard such changes",
      fix: "Use Linux 5.11 or later with unshare (util-linux). What is contained and what is not: docs/escapes.md",
    };
  return {
    check: "confinement",
    state: "advice",
    message:
      "there is no sandbox here, so agents can write to your repository: neither unshare nor bwrap works",
    fix: "Install bubblewrap (Linux: apt install bubblewrap), or run agents that you trust. Changes outside their desks are detected and reported afterwards; where only an agent would write, they fail the turn.",
  };
}

function openable({ files, root }: Patient): DoctorFinding {
  try {
    files.close(files.openRoot(root));
    return healthy("root", root);
  } catch (error) {
    return {
      check: "root",
      state: "blocks",
      message: `${root} cannot be opened: ${failureOf(error).problem.message}`,
      fix: "Name an existing folder of yours: --root DIR",
    };
  }
}

/** A changeset briefly needs twice the space of its files, and most changesets are small. */
const adviceBytes = 200_000_000;
const blockBytes = 2_000_000;

function space({ machine, root }: Patient): DoctorFinding {
  const free = machine.freeBytes(root);
  if (free >= adviceBytes) return healthy("space", `${size(free)} free`);
  return {
    check: "space",
    state: free < blockBytes ? "blocks" : "advice",
    message: `only ${size(free)} free on the file system of ${root}`,
    fix: "Free some space: df -h, du -sh .coxswain",
  };
}

function leftovers({ files, root }: Patient): DoctorFinding[] {
  try {
    const peek = Peek.open(files, root);
    const unfinished = peek.unfinished();
    const stray = peek.strayStages();
    peek.close();
    if (unfinished.length + stray.length === 0) return [healthy("changesets", "none is unfinished")];
    return [...unfinished.map(unfinishedFinding), ...(stray.length > 0 ? [strayFinding(stray)] : [])];
  } catch (error) {
    const { message, hint } = failureOf(error).problem;
    return [{ check: "changesets", state: "blocks", message, fix: hint }];
  }
}

function unfinishedFinding(id: string): DoctorFinding {
  return {
    check: "changesets",
    state: "advice",
    message: `changeset ${id} is unfinished: its process was killed, or is still working`,
    fix: "The next cox apply or cox undo here finishes it or undoes it.",
  };
}

function strayFinding(stray: readonly string[]): DoctorFinding {
  return {
    check: "stages",
    state: "advice",
    message: `${counted(stray.length, "stage")} left by a process that ended before it changed anything: ${stray.slice(0, 5).join(", ")}`,
    fix: "The next cox apply or cox undo here removes them.",
  };
}

function healthy(check: string, message: string): DoctorFinding {
  return { check, state: "healthy", message };
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [haveMajor = 0, haveMinor = 0] = version.split(".").map(Number);
  return haveMajor > major || (haveMajor === major && haveMinor >= minor);
}
