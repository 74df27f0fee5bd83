/** The hands of one process, all simulated: every call waits for its turn, may fail, and is seen by the witness. */
import { compile } from "../../src/change/compile.ts";
import { memoryDisk } from "../../src/change/memory-disk.ts";
import { judge } from "../../src/change/policy.ts";
import { textFile } from "../../src/git/memory-repository.ts";
import type { Archive } from "../../src/runtime/archive.ts";
import type { Hands } from "../../src/runtime/hands.ts";
import { heldChange } from "../../src/runtime/held-change.ts";
import type { Lookout } from "../../src/runtime/lookout.ts";
import type { CarriedOut, DeskProposal, Workbench } from "../../src/runtime/workbench.ts";
import { memoryVerifier } from "../../src/verify/memory-verifier.ts";
import type { Verifier, VerifyRequest } from "../../src/verify/verifier.ts";
import { sha256 } from "../../src/world/hash.ts";
import type { RunClock } from "../../src/world/run-clock.ts";
import { deskOf } from "./agents.ts";
import { GatedRepository } from "./gated-repository.ts";
import type { Owner } from "./scheduler.ts";
import type { World } from "./world.ts";

export function handsOf(world: World, owner: Owner, clock: RunClock): Hands {
  const gates = new Gates(world, owner);
  const repository = new GatedRepository(world, gates);
  return {
    clock,
    lookout: lookoutOf(world, repository),
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
        way: name === "operations" ? "proposal" : "desk",
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

  /** What changes nothing. */
  async read<T>(label: string, work: () => Promise<T>): Promise<T> {
    await this.pass(label);
    return work();
  }

  /** What changes something: a crash may come before it, or behind it. */
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

  /** Never fails; ends early when somebody says so. */
  wait(label: string): { passed: Promise<void>; release: () => void } {
    let release = () => {};
    const passed = new Promise<void>((resolve) => {
      release = resolve;
      this.world.scheduler.later(this.owner, label, resolve);
    });
    return { passed, release };
  }
}

/** A run may go on on another machine, so what a process finds need not be what the one before it found. */
function lookoutOf(world: World, repository: GatedRepository): Lookout {
  world.isConfined = world.random.chance(0.6);
  let isDistrusted = false;
  return {
    isNeeded: () => isDistrusted || !world.isConfined,
    distrust: () => {
      isDistrusted = true;
    },
    look: ({ desks }) => repository.look({ desks: desks.map((name) => ({ run: world.plan.run, name })) }),
  };
}

function archiveOf({ archive }: World, gates: Gates): Archive {
  return {
    keep: (name, bytes) =>
      gates.change(`keep ${name}`, async () => {
        archive.set(name, bytes);
      }),
    find: (name) => gates.read(`find ${name}`, async () => archive.get(name)),
    // Nothing is decided by a transcript.
    lines: () => ({ add() {}, end() {} }),
  };
}

function verifierOf(world: World, gates: Gates): Verifier {
  return {
    verify(request, watching) {
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
      const handle = memoryVerifier({ exitCode, turn }).verify(request, watching);
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

/** As the real one does it, with the desk's files in memory: wholly or not at all, and known again by its id. */
function workbenchOf(world: World, gates: Gates): Workbench {
  return {
    carryOut: (proposal) => gates.change(`carry out ${proposal.id}`, async () => carryOut(world, proposal)),
  };
}

function carryOut(world: World, { folder, id, operations, rules, isAllowed }: DeskProposal): CarriedOut {
  if (world.witness.carriesOut(folder, id)) return { kind: "done" };
  const files = world.repository.filesAt(deskOf(folder));
  const disk = memoryDisk(Object.fromEntries(files), sha256);
  const { changes, contents, problems, steps } = compile(operations, { root: folder, disk, hash: sha256 });
  const before = new Map(steps.toReversed().map((step) => [step.path, step.before]));
  const judged = judge(changes, {
    contents,
    before: (path) => before.get(path),
    isRepository: () => false,
    rules,
  });
  const wrong = [...problems, ...judged.refused];
  if (wrong.length > 0) return { kind: "refused", problems: wrong };
  const confirmations = judged.confirmations.filter((one) => !isAllowed(one));
  if (confirmations.length > 0) {
    const held = heldChange(changes, contents);
    return { kind: "needs-confirmation", confirmations, held };
  }
  for (const { path, post } of changes) {
    const bytes = post && contents.get(post.sha256);
    if (bytes) files.set(path, { ...textFile(""), bytes });
    else files.delete(path);
  }
  world.witness.carriedOut(folder, id);
  return { kind: "done" };
}
