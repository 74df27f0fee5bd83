/**
 * A text that is equal for two disks only if no program can tell them apart, now or after any crash: it covers what is
 * there, which names lead to the same file, and what a power cut could still undo.
 *
 * A deterministic program needs to be tried only once on each such disk. Times are not part of it, because nothing is
 * promised about them.
 */
import { type Effect, type FolderNode, type Inode, type Node, rootInode } from "./effect.ts";

export interface DiskParts {
  readonly nodes: ReadonlyMap<Inode, Node>;
  readonly durable: ReadonlyMap<Inode, Node>;
  readonly pending: readonly Effect[];
}

export function identityOf({ nodes, durable, pending }: DiskParts): string {
  const inodes = new Numbers();
  const there = new DiskPrint(nodes, inodes);
  there.enter(rootInode, "");
  if (pending.length === 0) return there.print;
  const below = new DiskPrint(durable, inodes);
  below.enter(rootInode, "");
  // Some inodes have no name except the one these effects may give them.
  for (const effect of pending) {
    below.enter(effect.on, "on");
    if (effect.kind === "name" && effect.to !== undefined) below.enter(effect.to, "to");
  }
  const renames = new Numbers();
  const effects = pending.map((effect) => effectOf(effect, { inodes, renames }));
  return `${there.print}durable\n${below.print}pending\n${effects.join("\n")}`;
}

/** Numbers things in the order they are met, because their original numbers are arbitrary. */
class Numbers {
  readonly #known = new Map<number, number>();

  of(given: number): number {
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    this.#known.set(given, this.#known.size);
    return this.#known.size - 1;
  }
}

class DiskPrint {
  print = "";
  readonly #shown = new Set<Inode>();

  constructor(
    private readonly nodes: ReadonlyMap<Inode, Node>,
    private readonly inodes: Numbers,
  ) {}

  enter(inode: Inode, path: string): void {
    const node = this.nodes.get(inode);
    if (!node) throw new Error(`${path} leads to an inode`);
    this.print += `${path}\0${this.inodes.of(inode)}\0`;
    if (!this.#shown.has(inode)) this.#show(inode, node, path);
    else this.print += "\n";
  }

  #show(inode: Inode, node: Node, path: string): void {
    this.#shown.add(inode);
    this.print += textOf(node);
    if (node.kind !== "folder") return;
    for (const name of sortedNames(node)) {
      const to = node.names.get(name);
      if (to !== undefined) this.enter(to, `${path}/${name}`);
    }
  }
}

/** Nodes never change and many disks share them, so results are cached per node. */
const sorted = new WeakMap<FolderNode, readonly string[]>();

function sortedNames(folder: FolderNode): readonly string[] {
  const known = sorted.get(folder);
  if (known) return known;
  const names = [...folder.names.keys()].sort();
  sorted.set(folder, names);
  return names;
}

const texts = new WeakMap<Node, string>();

function textOf(node: Node): string {
  const known = texts.get(node);
  if (known !== undefined) return known;
  const text = `${node.mode.toString(8)}${contentOf(node)}\n`;
  texts.set(node, text);
  return text;
}

function contentOf(node: Node): string {
  if (node.kind === "file") return `\0${node.bytes.length}\0${latin1(node.bytes)}`;
  return node.kind === "link" ? `>${node.target}` : node.removed ? "-" : "/";
}

function effectOf(effect: Effect, { inodes, renames }: { inodes: Numbers; renames: Numbers }): string {
  const head = `${effect.kind} ${inodes.of(effect.on)} ${effect.stuck ?? ""} `;
  if (effect.kind === "write")
    return `${head}${effect.offset} ${effect.bytes.length} ${latin1(effect.bytes)}`;
  if (effect.kind === "truncate") return `${head}${effect.length}`;
  if (effect.kind === "mode") return `${head}${effect.mode}`;
  const to = effect.to === undefined ? "nothing" : inodes.of(effect.to);
  const half = effect.rename === undefined ? "" : renames.of(effect.rename);
  return `${head}${effect.name}\0${to} ${half}`;
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
