/** The ports of one process, all simulated: every call waits for its turn, may fail, and is seen by the witness. */
import { judgeOperations } from "../../src/change/judge-operations.ts";
import { aboutReply } from "../../src/changeset/about.ts";
import { heldChange } from "../../src/runtime/acts/held-change.ts";
import type { CarriedOut, DeskProposal, Workbench } from "../../src/runtime/acts/workbench.ts";
import type { Archive } from "../../src/runtime/folder/archive.ts";
import type { OutsideWatcher } from "../../src/runtime/loop/outside-watcher.ts";
import type { Ports } from "../../src/runtime/loop/ports.ts";
import type { Verifier, VerifyRequest } from "../../src/verify/verifier.ts";
import { sha256 } from "../../src/world/files/hash.ts";
import type { RunClock } from "../../src/world/time/run-clock.ts";
import { memoryDisk } from "../doubles/memory-disk.ts";
import { textFile } from "../doubles/memory-repository.ts";
import { memoryVerifier } from "../doubles/memory-verifier.ts";
import { deskOf } from "./agents.ts";
import { GatedRepository } from "./gated-repository.ts";
import type { Owner } from "./scheduler.ts";
import type { World } from "./world.ts";

export function simulatedPorts(world: World, owner: Owner, clock: RunClock): Ports {
  const gates = new Gates(world, owner);
  const repository = new GatedRepository(world, gates);
  return {
    clock,
    outsideWatcher: outsideWatcherOf(world, repository),
    chance: { id: (length) => `${world.random.below(2 ** 32).toString(36)}xxxxxxxxxx`.slice(0, length) },
    repository,
    verifier: verifierOf(world, gates),
    workbench: workbenchOf(world, gates),
    archive: archiveOf(world, gates),
    scratch: {
      open: (path) => gates.change(`open ${path}`, async () => {}),
      refusals: () => [],
      handedIn: () => "",
      handIn: () => {},
      close: (path) => gates.change(`close ${path}`, async () => {}),
    },
    crew: {
      member: (name) => ({
        driver: world.agents.driver(owner, name !== "operations"),
        settings: { driver: name },
        mode: name === "operations" ? "proposal" : "desk",
        instructions: "",
      }),
    },
    briefing: {
      title: world.plan.title,
      overview: "",
      contract: "",
      task: (id) => ({ text: `do ${id}`, criteria: [] }),
    },
  };
}

export class Gates {
  constructor(
    private readonly world: World,
    private readonly owner: Owner,
  ) {}

  /** A call that changes nothing. */
  async read<T>(label: string, work: () => Promise<T>): Promise<T> {
    await this.pass(label);
    return work();
  }

  /** A call that changes something: a crash may come before or after it. */
  async change<T>(label: string, work: () => Promise<T>): Promise<T> {
    await this.pass(label);
    const result = await work();
    await this.pass(`${label}, done`);
    return result;
  }

  async pass(label: string): Promise<void> {
    const { scheduler, coverage } = this.world;
    await scheduler.gate(this.owner, label);
    if (!this.world.isFaulty()) return;
    coverage.deed("hand failed");
    throw Object.assign(new Error(`no space left on device (${label})`), {
      code: "ENOSPC",
      hint: "Make room.",
    });
  }

  /** Never fails. `release` ends the wait early. */
  wait(label: string): { passed: Promise<void>; release: () => void } {
    let release = () => {};
    const passed = new Promise<void>((resolve) => {
      release = resolve;
      this.world.scheduler.later(this.owner, label, resolve);
    });
    return { passed, release };
  }
}

/** A run may be resumed on another machine, so one process may find a sandbox where the previous one found none. */
function outsideWatcherOf(world: World, repository: GatedRepository): OutsideWatcher {
  world.isConfined = world.random.chance(0.6);
  const hasLayers = world.random.chance(0.8);
  let isDistrusted = false;
  return {
    isNeeded: () => isDistrusted || !world.isConfined,
    hasLayers: () => hasLayers,
    distrust: () => {
      isDistrusted = true;
    },
    snapshot: ({ desks }) => repository.look({ desks: desks.map((name) => ({ run: world.plan.run, name })) }),
  };
}

function archiveOf({ archive }: World, gates: Gates): Archive {
  return {
    keep: (name, bytes) =>
      gates.change(`keep ${name}`, async () => {
        archive.set(name, bytes);
      }),
    find: (name) => gates.read(`find ${name}`, async () => archive.get(name)),
    // No decision depends on a transcript.
    lines: () => ({ add() {}, end() {} }),
  };
}

function verifierOf(world: World, gates: Gates): Verifier {
  return {
    verify(request, observer) {
      world.witness.verifies(request);
      const isStuck = !world.weather.isFair && world.random.chance(0.01);
      let release = () => {};
      const turn = () => {
        if (isStuck)
          return new Promise<void>((resolve) => {
            release = resolve;
          });
        const waiting = gates.wait(`verify ${request.tree.slice(0, 7)}`);
        release = waiting.release;
        return waiting.passed;
      };
      const exitCode = (tree: string, command: string) => exitOf(world, request, { tree, command });
      const handle = memoryVerifier({ exitCode, turn }).verify(request, observer);
      const cancel = () => {
        handle.cancel();
        release();
      };
      return { evidence: handle.evidence, cancel };
    },
  };
}

function exitOf(
  world: World,
  { folder }: VerifyRequest,
  { tree, command }: { tree: string; command: string },
): number {
  const texts = [...world.repository.filesAt(deskOf(folder)).values()].map(({ bytes }) =>
    Buffer.from(bytes).toString(),
  );
  const isFlaky = !world.weather.isFair && world.random.chance(world.weather.flaky);
  const hasBug = command !== "install" && texts.some((text) => text.includes("BUG"));
  const clashes = command === "check" ? texts.filter((text) => text.includes("CLASH")).length : 0;
  const exit = isFlaky || hasBug || clashes > 1 ? 1 : 0;
  world.witness.ran({ tree, command, exit });
  return exit;
}

/**
 * Works like the real one, with the desk's files in memory: applies a reply completely or not at all, and recognizes a
 * repeated one by its id.
 */
function workbenchOf(world: World, gates: Gates): Workbench {
  return {
    carryOut: (proposal) => gates.change(`carry out ${proposal.id}`, async () => carryOut(world, proposal)),
  };
}

function carryOut(world: World, { folder, id, operations, rules, isAllowed }: DeskProposal): CarriedOut {
  if (world.witness.carriesOut(folder, id)) return { kind: "done", operations: [] };
  const files = world.repository.filesAt(deskOf(folder));
  const disk = memoryDisk(Object.fromEntries(files), sha256);
  const judged = judgeOperations(operations, { root: folder, disk, hash: sha256, rules });
  const { compiled, problems } = judged;
  const { changes, contents } = compiled;
  const { operations: listed } = aboutReply(compiled);
  const held = heldChange(changes, () => contents);
  if (problems.length > 0) return { kind: "refused", problems, operations: listed, held };
  const confirmations = judged.confirmations.filter((one) => !isAllowed(one));
  if (confirmations.length > 0)
    return { kind: "needs-confirmation", confirmations, operations: listed, held };
  for (const { path, post } of changes) {
    const bytes = post && contents.get(post.sha256);
    if (bytes) files.set(path, { ...textFile(""), bytes });
    else files.delete(path);
  }
  world.witness.carriedOut(folder, id);
  return { kind: "done", operations: listed };
}
