/**
 * What a call does to a disk, as data. Processes see the durable disk with all pending effects applied; a disk after a
 * crash is the durable one with some of them.
 */

export type Inode = number;

export const rootInode: Inode = 1;

/** The content of an inode. It is never changed in place, so disks can share it. */
export type Node =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mode: number; readonly modified: bigint }
  | {
      readonly kind: "folder";
      readonly names: ReadonlyMap<string, Inode>;
      readonly mode: number;
      readonly modified: bigint;
      /** The folder has been removed and takes no more names. Only a process that has it open still knows it. */
      readonly removed?: true;
    }
  | { readonly kind: "link"; readonly target: string; readonly mode: number; readonly modified: bigint };

export type FolderNode = Extract<Node, { kind: "folder" }>;

/** A sync of the inode `on` makes the effect durable. */
export type Effect = { readonly on: Inode; readonly modified: bigint; readonly stuck?: true } & (
  | { readonly kind: "write"; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: "truncate"; readonly length: number }
  | { readonly kind: "mode"; readonly mode: number }
  /** `to: undefined` removes the name. The two halves of a rename share a number. */
  | { readonly kind: "name"; readonly name: string; readonly to: Inode | undefined; readonly rename?: number }
);

export type WriteEffect = Extract<Effect, { kind: "write" }>;

/**
 * Applies effects in order. A folder's names are copied only once for all of them, because copying is most of the cost
 * of a crash state.
 */
export function applyEffects(nodes: Map<Inode, Node>, effects: readonly Effect[]): void {
  const copied = new Map<Inode, Map<string, Inode>>();
  for (const effect of effects) applyEffect(nodes, effect, copied);
}

export function applyEffect(
  nodes: Map<Inode, Node>,
  effect: Effect,
  copied?: Map<Inode, Map<string, Inode>>,
): void {
  const node = nodes.get(effect.on);
  if (!node) throw new Error(`inode ${effect.on} is known`);
  const { modified } = effect;
  if (effect.kind === "mode") {
    nodes.set(effect.on, { ...node, mode: effect.mode });
  } else if (effect.kind === "name" && node.kind === "folder") {
    const mine = copied?.get(effect.on);
    const names = mine ?? new Map(node.names);
    if (effect.to === undefined) names.delete(effect.name);
    else names.set(effect.name, effect.to);
    if (mine) return;
    copied?.set(effect.on, names);
    nodes.set(effect.on, { ...node, names, modified });
  } else if (effect.kind === "write" && node.kind === "file") {
    nodes.set(effect.on, { ...node, bytes: written(node.bytes, effect.offset, effect.bytes), modified });
  } else if (effect.kind === "truncate" && node.kind === "file") {
    nodes.set(effect.on, { ...node, bytes: resized(node.bytes, effect.length), modified });
  } else {
    throw new Error(`a ${node.kind} cannot take a ${effect.kind}`);
  }
}

/** A gap before `offset`, left by a lost write, reads as zeros. */
function written(before: Uint8Array, offset: number, bytes: Uint8Array): Uint8Array {
  const after = resized(before, Math.max(before.length, offset + bytes.length));
  after.set(bytes, offset);
  return after;
}

function resized(before: Uint8Array, length: number): Uint8Array {
  const after = new Uint8Array(length);
  after.set(before.length > length ? before.subarray(0, length) : before);
  return after;
}
