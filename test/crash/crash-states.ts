/**
 * The disks that are possible after a crash.
 *
 * `kill`: the process ends but the machine keeps running: everything is there, and unsynced data is still unsynced.
 * `ordered`: the power is cut on a file system that keeps the order: the first few effects are there, the rest are not.
 * `weak`: the power is cut on a file system that promises only what was synced: any subset of the effects is there,
 * a rename may have happened at one end only, and bytes may be lost, cut short or zeros.
 */
import type { Effect, WriteEffect } from "./effect.ts";
import { Random } from "./random.ts";

export type CrashMode = "kill" | "ordered" | "weak";

export interface Choice {
  /** The maximum number of random disks. Those with exactly one effect lost or kept always come too. */
  readonly limit: number;
  readonly seed: number;
}

/** The selections of effects that survive. The same one may come twice. */
export function* survivors(
  mode: "ordered" | "weak",
  pending: readonly Effect[],
  choice: Choice,
): Generator<Effect[]> {
  if (mode === "ordered") yield* prefixes(pending);
  else if (combinations(pending) <= choice.limit) yield* everySubset(pending.map(fates));
  else yield* someSubsets(pending, choice);
}

function* prefixes(pending: readonly Effect[]): Generator<Effect[]> {
  yield [];
  for (const [index, effect] of pending.entries()) {
    const before = pending.slice(0, index);
    if (effect.kind === "write") for (const part of torn(effect)) yield [...before, part];
    const next = pending[index + 1];
    const half = effect.kind === "name" && effect.rename !== undefined && isOtherHalf(effect.rename, next);
    if (!half) yield [...before, effect];
  }
}

function isOtherHalf(rename: number, next: Effect | undefined): boolean {
  return next?.kind === "name" && next.rename === rename;
}

/** What can become of one effect; `undefined` means lost. The first outcome is that it survives whole. */
function fates(effect: Effect): (Effect | undefined)[] {
  return effect.kind === "write"
    ? [effect, undefined, ...torn(effect), ...zeroed(effect)]
    : [effect, undefined];
}

function torn(effect: WriteEffect, kept = effect.bytes.length >> 1): WriteEffect[] {
  return kept === 0 ? [] : [{ ...effect, bytes: effect.bytes.subarray(0, kept) }];
}

/** The new size became durable, but none or only the first part of the bytes did. */
function zeroed(effect: WriteEffect, kept = effect.bytes.length >> 1): WriteEffect[] {
  return [0, kept]
    .filter((count, index) => index === 0 || count > 0)
    .map((count) => {
      const bytes = new Uint8Array(effect.bytes.length);
      bytes.set(effect.bytes.subarray(0, count));
      return { ...effect, bytes };
    });
}

function combinations(pending: readonly Effect[]): number {
  return pending.reduce((product, effect) => product * fates(effect).length, 1);
}

function* everySubset(all: readonly (Effect | undefined)[][]): Generator<Effect[]> {
  const chosen = all.map(() => 0);
  for (;;) {
    yield present(all.map((options, index) => options[chosen[index] ?? 0]));
    let place = 0;
    for (; place < all.length; place++) {
      const following = (chosen[place] ?? 0) + 1;
      chosen[place] = following % (all[place]?.length ?? 1);
      if (chosen[place] !== 0) break;
    }
    if (place === all.length) return;
  }
}

function* someSubsets(pending: readonly Effect[], { limit, seed }: Choice): Generator<Effect[]> {
  yield [...pending];
  yield [];
  for (const [index, effect] of pending.entries()) {
    for (const fate of fates(effect)) {
      if (fate !== effect) yield present(pending.map((one, at) => (at === index ? fate : one)));
      if (fate) yield [fate];
    }
  }
  const random = new Random(seed);
  for (let round = 0; round < limit; round++) {
    // One survival rate for all effects, drawn again each round: the most telling states have nearly nothing or nearly
    // everything.
    const survival = random.fraction();
    yield present(pending.map((effect) => randomFate(effect, survival, random)));
  }
}

function randomFate(effect: Effect, survival: number, random: Random): Effect | undefined {
  if (random.fraction() >= survival) return undefined;
  if (effect.kind !== "write" || random.fraction() < 0.5) return effect;
  const kept = random.below(effect.bytes.length);
  const damaged = [...torn(effect, kept), ...zeroed(effect, kept)];
  return damaged[random.below(damaged.length)];
}

function present(effects: readonly (Effect | undefined)[]): Effect[] {
  return effects.filter((effect) => effect !== undefined);
}
