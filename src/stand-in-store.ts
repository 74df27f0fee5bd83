/** Stands in for the store of documents until there is one: reads files, changes nothing. */
import { readdirSync, readFileSync, statSync, watch } from "node:fs";
import { join } from "node:path";
import { type DocumentPath, fileOf } from "./document/address.ts";
import { Document } from "./document/document.ts";
import type { DocumentEntry, DocumentStore } from "./document/store.ts";

export function standInStore(root: string): DocumentStore {
  const base = join(root, ".coxswain");
  const entries = (folder: string, prefix: string): DocumentEntry[] => {
    try {
      return readdirSync(join(base, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".md"))
        .sort()
        .map((name) => {
          const stat = statSync(join(base, folder, name));
          return { path: `${prefix}/${name}` as DocumentPath, size: stat.size, stamp: String(stat.mtimeMs) };
        });
    } catch {
      return [];
    }
  };
  return {
    read(path) {
      try {
        return { document: Document.of(path, readFileSync(join(base, fileOf(path)), "utf8")) };
      } catch {
        return {};
      }
    },
    list: () => entries("docs", ""),
    archive: () => entries("archived", "/archived"),
    change: async () => Promise.reject(new Error("nothing can be changed yet")),
    history: () => [],
    watch(listener) {
      try {
        const watcher = watch(base, { recursive: true, persistent: false }, (_event, name) => {
          if (name?.startsWith("docs/")) listener([name.slice("docs".length) as DocumentPath]);
        });
        return () => watcher.close();
      } catch {
        return () => {};
      }
    },
    close: async () => {},
  };
}
