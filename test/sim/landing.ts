/**
 * The user's checkout as a disk in memory, with the real landing on it. The disk's own tests show what a crash does to
 * it.
 */
import type { DecisionMaker } from "../../src/kernel/decision-maker.ts";
import { land } from "../../src/runtime/landing/land.ts";
import type { Checkout } from "../../src/runtime/landing/landing-files.ts";
import { recoverLanding } from "../../src/runtime/landing/recover-landing.ts";
import type { Coordinator } from "../../src/runtime/loop/coordinator.ts";
import { ModelDisk } from "../crash/model-disk.ts";
import { modelFiles } from "../crash/model-files.ts";
import type { World } from "./world.ts";

const by: DecisionMaker = { who: "ana", door: "terminal" };

export async function landNow(world: World, coordinator: Coordinator): Promise<void> {
  await land(coordinator, checkoutOf(world), { by });
}

export async function recoverLandingOf(world: World, coordinator: Coordinator): Promise<void> {
  if (coordinator.state.landing) await recoverLanding(coordinator, checkoutOf(world));
}

function checkoutOf(world: World): Checkout {
  const { repository } = world;
  const folder = repository.root.slice(1);
  const files = [...repository.checkout].map(([path, { bytes }]) => [`${folder}/${path}`, bytes] as const);
  world.checkout ??= ModelDisk.of(Object.fromEntries(files));
  // The previous holder of a lock is gone.
  world.checkout.locks.clear();
  return {
    files: modelFiles(world.checkout),
    clock: world.wall,
    chance: { id: (length) => `${world.random.below(2 ** 32).toString(36)}xxxxxxxxxx`.slice(0, length) },
    waitMs: 0,
  };
}

/** Called just before the branch moves: makes the checkout that git sees match the disk. */
export function seeCheckout({ checkout, repository }: World): void {
  const prefix = `${repository.root.slice(1)}/`;
  repository.checkout.clear();
  for (const [path, entry] of checkout?.snapshot() ?? [])
    if (entry.kind === "file" && path.startsWith(prefix) && !path.includes("/.coxswain/"))
      repository.checkout.set(path.slice(prefix.length), { bytes: entry.bytes, mode: 0o644 });
}
