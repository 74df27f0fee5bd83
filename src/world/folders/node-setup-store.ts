/**
 * Stores what setups left, in one folder per key: `files`, and a list of what is in it.
 *
 * An entry is made under a temporary name, flushed to disk and renamed into place, so a half-made entry is never found.
 * An entry that mentions the folder it was made in (a virtual environment does) is kept for that folder only.
 */
import { lstatSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeUtf8 } from "../../std/utf8.ts";
import { sha256 } from "../files/hash.ts";
import { cleanEnvironment } from "../processes/clean-environment.ts";
import { nodeProcesses } from "../processes/node-processes.ts";
import { ProgramChanged, pinnedProgram } from "../processes/program/pinned-programs.ts";
import { type FolderLook, folderChanges, lookAtFolder } from "./folder-changes.ts";
import type { KeptSetup, SetupStore } from "./setup-store.ts";

export function nodeSetupStore(folder: string): SetupStore {
  return {
    folder,
    restore: (at) => restore(folder, at),
    async look(checkout) {
      const before = await lookAtFolder(checkout);
      return {
        keep: (key) => keep({ store: folder, key, checkout, before }).catch(notKept),
      };
    },
  };
}

/** If storing fails, the next setup simply runs again. But a person must see when a program was replaced. */
function notKept(error: unknown): boolean {
  if (error instanceof ProgramChanged) throw error;
  return false;
}

async function restore(store: string, { key, folder }: KeptSetup): Promise<boolean> {
  for (const entry of [entryOf(store, key), entryOf(store, key, folder)]) {
    const appeared = await listIn(entry);
    if (!appeared || appeared.some((path) => isThere(join(folder, path)))) continue;
    if (await copied(`${entry}/files/.`, folder)) return true;
    for (const path of appeared) await rm(join(folder, path), { recursive: true, force: true });
  }
  return false;
}

interface KeepSetupOptions {
  readonly store: string;
  readonly key: string;
  readonly checkout: string;
  readonly before: FolderLook;
}

async function keep({ store, key, checkout, before }: KeepSetupOptions): Promise<boolean> {
  const { appeared, hasOthers } = await folderChanges(checkout, before);
  // A name that is not UTF-8 was not read correctly, so it could not be written correctly either.
  if (hasOthers || appeared.length === 0 || appeared.some((path) => path.includes("\ufffd"))) return false;
  await mkdir(store, { recursive: true });
  const making = await mkdtemp(join(store, "making-"));
  try {
    const files = join(making, "files");
    await mkdir(files);
    const input = encodeUtf8(appeared.map((path) => `./${path}\0`).join(""));
    const { path: cp } = pinnedProgram("cp");
    if (cp === undefined) return false;
    const copy = ["xargs", "-0", cp, "-a", "--reflink=auto", "--parents", "-t", files, "--"] as const;
    if ((await exitCode({ argv: copy, folder: checkout, input })) !== 0) return false;
    await writeFile(join(making, listName), JSON.stringify(appeared));
    const isBound = await mentions(files, checkout);
    if ((await exitCode({ argv: ["sync", "-f", files], folder: store })) !== 0) return false;
    await rename(making, isBound ? entryOf(store, key, checkout) : entryOf(store, key));
    return true;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

/** The path of an entry. An entry for one folder only has that folder's hash in its name. */
function entryOf(store: string, key: string, folder?: string): string {
  return join(store, folder === undefined ? key : `${key}-${sha256(folder).slice(0, 16)}`);
}

const listName = "list.json";

async function listIn(entry: string): Promise<string[] | undefined> {
  try {
    return JSON.parse(await readFile(join(entry, listName), "utf8")) as string[];
  } catch {
    return undefined;
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whether the folder's path occurs in a file's bytes or a link's target. If that cannot be determined, assume yes. */
async function mentions(files: string, folder: string): Promise<boolean> {
  const { path: no } = pinnedProgram("false");
  if (no === undefined) return true;
  for (const path of new Set([folder, await realpath(folder)])) {
    if ((await exitCode({ argv: ["grep", "-rqF", "-e", path, files], folder: files })) !== 1) return true;
    const find = ["find", files, "-lname", `${path.replace(/[*?[\\]/g, "\\$&")}*`, "-exec", no, "{}", "+"];
    if ((await exitCode({ argv: find as [string, ...string[]], folder: files })) !== 0) return true;
  }
  return false;
}

async function copied(from: string, to: string): Promise<boolean> {
  return (await exitCode({ argv: ["cp", "-a", "--reflink=auto", "--", from, to], folder: to })) === 0;
}

interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly folder: string;
  readonly input?: Uint8Array;
}

async function exitCode(command: Command): Promise<number | undefined> {
  const environment = cleanEnvironment({ PATH: process.env.PATH });
  const [name, ...args] = command.argv;
  const { path } = pinnedProgram(name, environment.PATH);
  if (path === undefined) return undefined;
  const argv: Command["argv"] = [path, ...args];
  const limits = { keepBytes: 0, bytesMax: 1024 * 1024, graceMs: 1000 };
  const { how } = await nodeProcesses.start({ ...command, argv, ...limits, environment }).ended;
  return how.kind === "exited" ? how.code : undefined;
}
