import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Log } from "../durable/log.ts";
import type { File, Files, Folder } from "../world/files/files.ts";
import { nodeFiles } from "../world/files/node-files.ts";
import { FileJournal } from "./file-journal.ts";
import { type JournalWorld, journalContract, moment, note } from "./journal.contract.ts";

journalContract("in files", fileWorld);

function fileWorld(): JournalWorld {
  const folder = mkdtempSync(join(tmpdir(), "cox-journal-"));
  const log = join(folder, "events.jsonl");
  let process = new Process(nodeFiles(), () => readFileSync(log).length);
  const all = [process];
  let ids = 0;
  return {
    open: () => {
      const files = process.files;
      return FileJournal.open({ files, folder, chance: { id: () => `log${++ids}` } });
    },
    syncs: () => all.reduce((count, { syncs }) => count + syncs, 0),
    hold: () => process.hold(),
    release: () => process.release(),
    failSyncs: () => {
      process.failing = true;
    },
    crash: (kept) => {
      process.die();
      if (process.durableBytes !== undefined) tear(log, process.durableBytes, kept);
      process = new Process(nodeFiles(), () => readFileSync(log).length);
      all.push(process);
    },
    loseLock: () => unlinkSync(join(folder, "lock")),
    interfere: () => {
      const files = nodeFiles();
      const root = files.openRoot(folder);
      const place = { files, folder: root, name: "events.jsonl" };
      const foreign = Log.open({ ...place, version: 1, understands: () => true, newId: () => "never" });
      foreign.append([note("foreign")], { at: new Date(moment.at).toISOString(), t: moment.time });
      foreign.close();
      files.close(root);
    },
    end: () => {
      for (const one of all) one.die();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Keeps the durable part, the first whole appends after it, and half of the next one. */
function tear(log: string, durable: number, kept: number): void {
  const bytes = readFileSync(log);
  const lines = bytes
    .subarray(durable)
    .toString()
    .split(/(?<=\n)/);
  let length = durable;
  let rest = kept;
  for (const line of lines) {
    const { seq, batch } = line.endsWith("\n") ? JSON.parse(line) : { seq: 0, batch: [0, 1] };
    if (rest === 0) {
      length += seq === batch[1] ? line.length >> 1 : line.length;
      break;
    }
    length += line.length;
    if (seq === batch[1]) rest--;
  }
  writeFileSync(log, bytes.subarray(0, length));
}

/** The files of a process that can be killed; syncs of the log can be held and made to fail. */
class Process {
  readonly files: Files;
  syncs = 0;
  failing = false;
  /** How much of the log the last sync made durable. */
  durableBytes: number | undefined;
  readonly #open = new Set<Folder | File>();
  readonly #logs = new Set<File>();
  #gate: { promise: Promise<void>; open: () => void } | undefined;
  #dead = false;

  constructor(
    private readonly real: Files,
    sizeOfLog: () => number,
  ) {
    const tracked = <Handle extends Folder | File>(handle: Handle): Handle => {
      this.#open.add(handle);
      return handle;
    };
    const dying = {
      ...real,
      openRoot: (path: string) => tracked(real.openRoot(path)),
      open: (at: Folder, name: string, how: "read" | "create" | "append") => {
        const file = tracked(real.open(at, name, how));
        if (name === "events.jsonl") this.#logs.add(file);
        return file;
      },
      close: (handle: Folder | File) => {
        this.#open.delete(handle);
        real.close(handle);
      },
      sync: (handle: Folder | File) => {
        real.sync(handle);
        if (this.#logs.has(handle as File)) this.durableBytes = sizeOfLog();
      },
      syncData: async (file: File) => {
        if (!this.#logs.has(file)) return real.syncData(file);
        this.syncs++;
        if (this.failing) throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
        await this.#gate?.promise;
        if (this.#dead) return new Promise<void>(() => undefined);
        const size = sizeOfLog();
        await real.syncData(file);
        this.durableBytes = size;
      },
    };
    this.files = new Proxy(dying, {
      get: (target, call: keyof Files) => {
        if (this.#dead) return () => this.#refuse(call);
        return target[call];
      },
    });
  }

  hold(): void {
    let open: () => void = () => undefined;
    const promise = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { promise, open };
  }

  release(): void {
    this.#gate?.open();
    this.#gate = undefined;
    this.failing = false;
  }

  die(): void {
    this.#dead = true;
    for (const handle of this.#open) this.real.close(handle);
    this.#open.clear();
  }

  /** A dead process does nothing, but may still close its files without an error. */
  #refuse(call: keyof Files): void {
    if (call !== "close") throw new Error("this process is dead");
  }
}
