/**
 * What this user has approved: commands of a repository, seen once, and plans together with their configuration and
 * commit. It is stored outside every repository (`trust.json` in the user's state folder), for this user alone.
 *
 * A file that is damaged, or that others could have written, counts as empty and is set aside: asking again costs a
 * moment, wrong trust costs more. Who is asking is not checked here; the door does that.
 */
import { dirname } from "node:path";
import type { Lock } from "../../durable/lock.ts";
import { replaceFileNow } from "../../durable/replace-file.ts";
import { takeLock } from "../../durable/take-lock.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { Files, Folder } from "../../world/files/files.ts";
import type { Approval } from "./inputs.ts";
import {
  isNewerTrust,
  isSameApproval,
  nothingTrusted,
  parseTrust,
  type TrustDocument,
  type Trusted,
  trustedOf,
  trustText,
  withTrusted,
} from "./trust-document.ts";

const fileName = "trust.json";
const bytesMax = 64 * 1024 * 1024;
const waitMs = 5000;

export class Trust {
  #document: TrustDocument;
  readonly #problems: Problem[] = [];

  private constructor(
    private readonly files: Files,
    /** The user's state folder; it may not exist yet. */
    private readonly path: string,
  ) {
    this.#document = this.#inFolder((folder) => this.#read(folder)) ?? nothingTrusted;
  }

  static open(files: Files, path: string): Trust {
    return new Trust(files, path);
  }

  /** Problems with the file, to show to a person. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  isKnown({ root, digest }: { readonly root: string; readonly digest: string }): boolean {
    return trustedOf(this.#document, root).commands.includes(digest);
  }

  isApproved({ root, approval }: { readonly root: string; readonly approval: Approval }): boolean {
    return trustedOf(this.#document, root).approvals.some((one) => isSameApproval(one, approval));
  }

  /** Durable when it resolves. */
  remember({ root, digests }: { readonly root: string; readonly digests: readonly string[] }): Promise<void> {
    return this.#add({ root, commands: digests, approvals: [] });
  }

  /** Durable when it resolves. */
  approve({ root, approval }: { readonly root: string; readonly approval: Approval }): Promise<void> {
    return this.#add({ root, commands: [], approvals: [approval] });
  }

  async #add(added: Trusted): Promise<void> {
    const { files } = this;
    const folder = makeFolders(files, this.path);
    try {
      for (let isDone = false; !isDone; ) {
        const lock = await takeLock({ files, folder, name: "trust.lock", waitMs, where: "what you trust" });
        try {
          isDone = this.#write(folder, lock, added);
        } finally {
          lock.release();
        }
      }
    } finally {
      files.close(folder);
    }
  }

  /** Adds to the current content, because another process may have changed it. */
  #write(folder: Folder, lock: Lock, added: Trusted): boolean {
    const { files } = this;
    const found = this.#read(folder, { keepAside: true });
    const document = withTrusted(found ?? nothingTrusted, added);
    const bytes = encodeUtf8(trustText(document));
    if (!replaceFileNow({ files, folder, name: fileName, bytes }, () => lock.isStillOurs())) return false;
    files.sync(folder);
    this.#document = document;
    return true;
  }

  #inFolder<T>(work: (folder: Folder) => T): T | undefined {
    let folder: Folder;
    try {
      folder = this.files.openRoot(this.path);
    } catch (error) {
      if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return undefined;
      throw error;
    }
    try {
      return work(folder);
    } finally {
      this.files.close(folder);
    }
  }

  #read(folder: Folder, { keepAside = false } = {}): TrustDocument | undefined {
    const { files } = this;
    const stat = files.stat(folder, fileName);
    if (!stat) return undefined;
    const isSafe = stat.kind === "file" && (stat.mode & 0o022) === 0 && stat.size <= bytesMax;
    const text = isSafe ? readText(files, folder) : "";
    const document = parseTrust(text);
    if (document) return document;
    if (isNewerTrust(text)) throw new TrustVersion(this.path);
    const why = isSafe ? "it is damaged" : "others can write to it, or it is not a file";
    const aside = keepAside ? moveAside(files, folder) : undefined;
    this.#problems.push({
      code: "TRUST_DAMAGED",
      path: `${this.path}/${fileName}`,
      message: `what you approved before can no longer be read: ${why}${aside ? `, and is kept as ${aside}` : ""}`,
      hint: "You will be asked again for each command and plan.",
    });
    return undefined;
  }
}

/** The file has a newer format: it is neither read nor replaced. */
class TrustVersion extends Error {
  override name = "TrustVersion";
  readonly code = "STATE_UNSAFE";
  readonly hint = "Use the newer version, or move the file away to start over.";

  constructor(path: string) {
    super(`${oneLine(path)}/${fileName} was written by a newer version of cox`);
  }
}

function readText(files: Files, folder: Folder): string {
  const file = files.open(folder, fileName, "read");
  try {
    return decodeUtf8(files.read(file, 0, files.statOf(file).size));
  } finally {
    files.close(file);
  }
}

function moveAside(files: Files, folder: Folder): string {
  for (let copy = 1; ; copy++) {
    const name = `${fileName}.damaged-${copy}`;
    if (files.stat(folder, name)) continue;
    files.rename(folder, fileName, folder, name);
    files.sync(folder);
    return name;
  }
}

/** Opens the folder, creating it and those above it as needed. */
function makeFolders(files: Files, path: string): Folder {
  try {
    return files.openRoot(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  const above = makeFolders(files, dirname(path));
  try {
    files.makeFolder(above, path.slice(dirname(path).length).replace(/^\/+/, ""));
    files.sync(above);
  } catch (error) {
    // Another process was faster.
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    files.close(above);
  }
  return files.openRoot(path);
}
