/** The documents as a tree of folders, limited in size: if not everything fits, subfolders are shown as counts. */
import type { Card } from "./card.ts";

export interface FolderTree {
  readonly documents: readonly Card[];
  /** Folders not expanded here, each with counts of its contents. */
  readonly folders: readonly FolderCount[];
  /** How many further documents and folders did not fit. */
  readonly more: number;
  readonly total: number;
}

export interface FolderCount {
  /** `/api/`. */
  readonly folder: string;
  readonly documents: number;
  readonly openTasks: number;
}

/** `below` starts and ends with `/`; `from` is the number of entries already shown. */
export function folderTree(
  cards: readonly Card[],
  { below, from, limit }: { readonly below: string; readonly from: number; readonly limit: number },
): FolderTree {
  const inside = cards.filter(({ path }) => path.startsWith(below));
  if (inside.length <= limit) {
    return { documents: inside.slice(from), folders: [], more: 0, total: inside.length };
  }
  const folders = new Map<string, FolderCount>();
  const documents: Card[] = [];
  for (const card of inside) {
    const slash = card.path.indexOf("/", below.length);
    if (slash === -1) {
      documents.push(card);
      continue;
    }
    const folder = card.path.slice(0, slash + 1);
    const before = folders.get(folder) ?? { folder, documents: 0, openTasks: 0 };
    folders.set(folder, {
      folder,
      documents: before.documents + 1,
      openTasks: before.openTasks + card.openTasks,
    });
  }
  const all = [...folders.values(), ...documents];
  const shown = all.slice(from, from + limit);
  return {
    folders: shown.flatMap((each) => ("folder" in each ? each : [])),
    documents: shown.flatMap((each) => ("path" in each ? each : [])),
    more: Math.max(0, all.length - from - shown.length),
    total: inside.length,
  };
}
