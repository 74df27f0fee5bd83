/**
 * A disk in memory that loses what was not synced, and on request yields every disk it could be after a crash.
 *
 * It holds what is durable, the effects that are not yet durable, in order, and what processes see: the durable disk
 * with those effects applied. `modelFiles` implements the files port on top of it.
 */
import { type Choice, type CrashMode, survivors } from "./crash-states.ts";
import { identityOf, latin1 } from "./disk-identity.ts";
import {
  applyEffect,
  applyEffects,
  type Effect,
  type FolderNode,
  type Inode,
  type Node,
  rootInode,
} from "./effect.ts";
import { Crash } from "./faults.ts";

/**
 * The calls that change or sync something, by the port's names. `syncData` counts as a `sync`, and `syncAll` as one per
 * handle.
 */
export type Call =
  | "makeFolder"
  | "removeFolder"
  | "open"
  | "write"
  | "truncate"
  | "chmod"
  | "setModified"
  | "link"
  | "rename"
  | "unlink"
  | "sync";

/** The calls that only read. Opening for reading is one of them. */
export type Look = "openRoot" | "openFolder" | "list" | "stat" | "statOf" | "open" | "read" | "lock";

export type Plain = Readonly<Record<string, string | Uint8Array | { mode: number; text: string }>>;

export type Entry =
  | { readonly kind: "file"; readonly mode: number; readonly bytes: Uint8Array }
  | { readonly kind: "folder" }
  | { readonly kind: "link"; readonly target: string };

/** The time of every test's clock, so that a newly written file does not look old. */
const epochNs = 1_700_000_000_000_000_000n;

type NewEffect = Effect extends infer E ? (E extends Effect ? Omit<E, "modified" | "stuck"> : never) : never;

export class ModelDisk {
  /** Called before each call that changes or syncs something. It may throw a `Crash`, an errno error or a `TornWrite`. */
  onCall: ((call: Call, index: number, about: string) => void) | undefined;
  /** The same for calls that only read, which are counted separately. */
  onLook: ((look: Look, index: number, about: string) => void) | undefined;
  calls = 0;
  looks = 0;
  /** Chooses the order in which `syncAll` reaches its handles. */
  syncSeed = 1;
  /** The number of open handles. Any left at the end is a leak. */
  handles = 0;
  /** The handle that holds each inode's lock. A crash frees them all. */
  readonly locks = new Map<Inode, object>();
  /** Waiters for locks, in order of arrival. */
  private waiting: { readonly inode: Inode; readonly file: object; readonly give: () => void }[] = [];

  private crash: Crash | undefined;
  private nodes: Map<Inode, Node>;
  private durable: Map<Inode, Node>;
  private pending: Effect[] = [];
  private nextInode: Inode;
  private clock: bigint;
  private renames = 0;
  private ids = 0;
  /** The cached identity, valid if a crash produced this disk and nothing has been done on it since. */
  private found: string | undefined;

  /** A disk with these files, all durable: `{ "src/a.ts": "text", "empty/": "" }`. */
  static of(plain: Plain): ModelDisk {
    const root: Node = { kind: "folder", names: new Map(), mode: 0o755, modified: 0n };
    const disk = new ModelDisk(new Map([[rootInode, root]]), rootInode + 1, epochNs);
    for (const [path, content] of Object.entries(plain)) disk.put(path, content);
    return disk;
  }

  private constructor(nodes: Map<Inode, Node>, nextInode: Inode, clock: bigint) {
    this.nodes = nodes;
    this.durable = new Map(nodes);
    this.nextInode = nextInode;
    this.clock = clock;
  }

  /** A copy of the disk, without hooks, handles and locks. */
  clone(): ModelDisk {
    const copy = new ModelDisk(this.nodes, this.nextInode, this.clock);
    copy.nodes = new Map(this.nodes);
    copy.durable = new Map(this.durable);
    copy.pending = this.pending.slice();
    copy.renames = this.renames;
    copy.ids = this.ids;
    return copy;
  }

  /**
   * The different disks that a crash could leave now, each ready to use. After `kill`, unsynced data is still unsynced;
   * after the other modes, everything there is durable.
   */
  crashStates(mode: CrashMode, choice: Choice): Generator<ModelDisk> {
    // Works on a copy, so that this disk can be used before all states have been examined.
    return this.clone().states(mode, choice);
  }

  private *states(mode: CrashMode, choice: Choice): Generator<ModelDisk> {
    if (mode === "kill") {
      yield this;
      return;
    }
    const seen = new Set<string>();
    for (const effects of survivors(mode, this.pending, choice)) {
      const nodes = new Map(this.durable);
      applyEffects(nodes, effects);
      const disk = new ModelDisk(reachable(nodes), this.nextInode, this.clock);
      const identity = disk.identity();
      if (seen.has(identity)) continue;
      seen.add(identity);
      disk.found = identity;
      disk.ids = this.ids;
      yield disk;
    }
  }

  /** The same text for disks that no program can tell apart, now or after a crash. See `identityOf`. */
  identity(): string {
    const { nodes, durable, pending } = this;
    return this.found ?? identityOf({ nodes, durable, pending });
  }

  /** A number that is never repeated on this disk, not even after a crash, and that is the same for the same history. */
  newId(): number {
    return ++this.ids;
  }

  /** How many effects a power cut could still undo. */
  get unsynced(): number {
    return this.pending.length;
  }

  /** Everything on the disk by path, including folders but not the root. */
  snapshot(): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    this.walk((path, node) => entries.set(path, entryOf(node)));
    return entries;
  }

  /**
   * The same text for the same tree, and a different one for any difference. `omit` leaves out a path and everything
   * below it.
   */
  fingerprint(omit?: (path: string) => boolean): string {
    let print = "";
    this.walk((path, node) => {
      print += `${path}\0${node.kind}\0`;
      if (node.kind === "file")
        print += `${node.mode.toString(8)}\0${node.bytes.length}\0${latin1(node.bytes)}`;
      if (node.kind === "link") print += node.target;
      print += "\n";
    }, omit);
    return print;
  }

  /** A file as text, for assertions; `undefined` if there is none. */
  text(path: string): string | undefined {
    const node = this.find(path);
    return node?.kind === "file" ? new TextDecoder().decode(node.bytes) : undefined;
  }

  /**
   * Somebody else's edit: immediate, durable, without hooks. The file gets a new inode. A path that ends in `/` is a
   * folder.
   */
  put(path: string, content: Plain[string]): void {
    const { folder, name } = this.place(path);
    if (path.endsWith("/")) this.place(`${path}x`);
    else this.putName(folder, name, this.newInode(fileOf(content, this.tick())));
  }

  /** Somebody else appends to the existing file, whoever else has it open. */
  writeInto(path: string, text: string): void {
    const { folder, name } = this.place(path);
    const inode = this.folder(folder).names.get(name);
    const node = inode === undefined ? undefined : this.node(inode);
    if (inode === undefined || node?.kind !== "file") throw new Error(`${path} is a file`);
    this.add({ kind: "write", on: inode, offset: node.bytes.length, bytes: new TextEncoder().encode(text) });
  }

  remove(path: string): void {
    const { folder, name } = this.place(path);
    this.putName(folder, name, undefined);
  }

  makeLink(path: string, target: string): void {
    const { folder, name } = this.place(path);
    this.putName(folder, name, this.newInode({ kind: "link", target, mode: 0o777, modified: this.tick() }));
  }

  /** Announces a call to the hook. */
  announce(call: Call, about: string): void {
    this.assertAlive();
    const index = this.calls++;
    if (this.onCall) this.dyingOf(() => this.onCall?.(call, index, about));
  }

  announceLook(look: Look, about: string): void {
    this.assertAlive();
    const index = this.looks++;
    if (this.onLook) this.dyingOf(() => this.onLook?.(look, index, about));
  }

  /** After a `Crash`, nothing more is done on this disk. */
  die(crash: Crash): void {
    this.crash ??= crash;
  }

  node(inode: Inode): Node {
    const node = this.nodes.get(inode);
    if (!node) throw new Error(`inode ${inode} is known`);
    return node;
  }

  folder(inode: Inode): FolderNode {
    const node = this.node(inode);
    if (node.kind !== "folder") throw new Error(`inode ${inode} is a folder`);
    return node;
  }

  links(inode: Inode): number {
    // The root has no name, but it exists all the same.
    let count = inode === rootInode ? 1 : 0;
    for (const node of this.nodes.values()) {
      if (node.kind === "folder") for (const to of node.names.values()) if (to === inode) count++;
    }
    return count;
  }

  /** Creates an inode without a name. It is durable at once, but nobody can see it until a name leads to it. */
  newInode(node: Node): Inode {
    const inode = this.nextInode++;
    this.nodes.set(inode, node);
    this.durable.set(inode, node);
    return inode;
  }

  newFolder(): Inode {
    return this.newInode({ kind: "folder", names: new Map(), mode: 0o755, modified: this.tick() });
  }

  newFile(): Inode {
    return this.newInode({ kind: "file", bytes: new Uint8Array(), mode: 0o600, modified: this.tick() });
  }

  /** Adds an effect that everybody sees at once, but that is durable only after a sync of its inode. */
  add(effect: NewEffect): void {
    const timed: Effect = { ...effect, modified: this.tick() };
    this.pending.push(timed);
    this.found = undefined;
    applyEffect(this.nodes, timed);
  }

  /** Nothing is promised about times after a crash, so this is not an effect. */
  setModified(inode: Inode, modified: bigint): void {
    this.nodes.set(inode, { ...this.node(inode), modified });
  }

  /** Adds the two halves of a rename: they survive together if order is kept, separately if not. */
  addRename(from: { folder: Inode; name: string }, to: { folder: Inode; name: string }, inode: Inode): void {
    const rename = ++this.renames;
    this.add({ kind: "name", on: to.folder, name: to.name, to: inode, rename });
    this.add({ kind: "name", on: from.folder, name: from.name, to: undefined, rename });
  }

  markRemoved(inode: Inode): void {
    this.nodes.set(inode, { ...this.folder(inode), removed: true });
  }

  sync(inode: Inode): void {
    this.pending = this.pending.filter((effect) => {
      if (effect.on !== inode || effect.stuck) return true;
      applyEffect(this.durable, effect);
      return false;
    });
  }

  /**
   * After a failed sync, Linux treats the pages as written: the next sync succeeds without writing them. So pending
   * data stays at risk for ever, and only a program that never retries is safe.
   */
  failSync(inode: Inode): void {
    this.pending = this.pending.map((effect) => (effect.on === inode ? { ...effect, stuck: true } : effect));
  }

  /** Passes the lock to the longest waiter. After a crash everybody waits for ever, because they are dead. */
  freeLock(inode: Inode): void {
    this.locks.delete(inode);
    const next = this.waiting.find((one) => one.inode === inode);
    if (!next) return;
    this.locks.set(inode, next.file);
    next.give();
  }

  waitForLock(wait: {
    readonly inode: Inode;
    readonly file: object;
    readonly waitMs: number;
    readonly signal: AbortSignal | undefined;
  }): Promise<boolean> {
    const { inode, file, waitMs, signal } = wait;
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.waiting = this.waiting.filter((one) => one !== mine);
        settle();
      };
      const mine = { inode, file, give: end(() => resolve(true)) };
      const timer = setTimeout(
        end(() => resolve(false)),
        waitMs,
      );
      const abort = end(() => reject(signal?.reason));
      signal?.addEventListener("abort", abort);
      this.waiting.push(mine);
    });
  }

  find(path: string): Node | undefined {
    let inode: Inode | undefined = rootInode;
    for (const name of components(path)) {
      const node: Node | undefined = inode === undefined ? undefined : this.nodes.get(inode);
      inode = node?.kind === "folder" ? node.names.get(name) : undefined;
    }
    return inode === undefined ? undefined : this.nodes.get(inode);
  }

  private assertAlive(): void {
    if (this.crash) throw this.crash;
  }

  private dyingOf(hook: () => void): void {
    try {
      hook();
    } catch (error) {
      if (error instanceof Crash) this.die(error);
      throw error;
    }
  }

  private tick(): bigint {
    return this.clock++;
  }

  /** The folder of a path, created if missing, and the last name. */
  private place(path: string): { folder: Inode; name: string } {
    const names = components(path);
    const name = names.pop();
    if (name === undefined) throw new Error("a path has a name");
    let folder = rootInode;
    for (const step of names) {
      let next = this.folder(folder).names.get(step);
      if (next === undefined) {
        next = this.newFolder();
        this.putName(folder, step, next);
      }
      folder = next;
    }
    return { folder, name };
  }

  private putName(folder: Inode, name: string, to: Inode | undefined): void {
    this.pending = this.pending.filter(
      (effect) => !(effect.kind === "name" && effect.on === folder && effect.name === name),
    );
    const effect: Effect = { kind: "name", on: folder, name, to, modified: this.tick() };
    this.found = undefined;
    applyEffect(this.nodes, effect);
    applyEffect(this.durable, effect);
  }

  private walk(visit: (path: string, node: Node) => void, omit?: (path: string) => boolean): void {
    const { nodes } = this;
    // Half-done renames of folders can leave a folder below itself. It is then shown once.
    const above = new Set<Inode>();
    function enter(inode: Inode, prefix: string): void {
      const folder = nodes.get(inode);
      if (folder?.kind !== "folder" || above.has(inode)) return;
      above.add(inode);
      for (const name of [...folder.names.keys()].sort()) {
        const path = prefix + name;
        if (omit?.(path)) continue;
        const to = folder.names.get(name);
        const node = to === undefined ? undefined : nodes.get(to);
        if (to === undefined || !node) throw new Error(`${path} leads to an inode`);
        visit(path, node);
        if (node.kind === "folder") enter(to, `${path}/`);
      }
      above.delete(inode);
    }
    enter(rootInode, "");
  }
}

/** Drops inodes that no name leads to, as a file system check would. */
function reachable(nodes: ReadonlyMap<Inode, Node>): Map<Inode, Node> {
  const found = new Map<Inode, Node>();
  function enter(inode: Inode): void {
    const node = nodes.get(inode);
    if (!node || found.has(inode)) return;
    found.set(inode, node);
    if (node.kind === "folder") for (const to of node.names.values()) enter(to);
  }
  enter(rootInode);
  return found;
}

function entryOf(node: Node): Entry {
  if (node.kind === "file") return { kind: "file", mode: node.mode, bytes: node.bytes };
  return node.kind === "link" ? { kind: "link", target: node.target } : { kind: "folder" };
}

function fileOf(content: Plain[string], modified: bigint): Node {
  const mode = typeof content === "object" && "mode" in content ? content.mode : 0o644;
  const given = typeof content === "object" && "mode" in content ? content.text : content;
  const bytes = typeof given === "string" ? new TextEncoder().encode(given) : given;
  return { kind: "file", bytes, mode, modified };
}

function components(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}
