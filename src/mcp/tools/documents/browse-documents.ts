/** `browse_documents`: lists the documents, folder by folder. */
import { z } from "zod";
import { readFolder } from "../../../document/address.ts";
import type { Card } from "../../../document/card.ts";
import { catalogueOf } from "../../../document/catalogue.ts";
import { whyNoFolder } from "../../../document/find-folder.ts";
import { type FolderCount, folderTree } from "../../../document/folder-tree.ts";
import { counted } from "../../../std/counted.ts";
import { oneLine } from "../../../std/printable.ts";
import { tool } from "../../tool.ts";
import { beyondEndProblem } from "../tool-problems.ts";

const limit = 150;

export const browseDocuments = tool({
  name: "browse_documents",
  group: "documents",
  title: "Browse documents",
  description: "Lists documents with titles and open tasks. Large folders are counted; name one to open it.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    folder: z.string().optional().describe("/api/"),
    from: z.int().min(0).max(1e9).optional().describe("`next` of the page before"),
  }),
  output: z.object({
    documents: z.array(z.unknown()),
    folders: z.array(z.unknown()),
    total: z.number(),
    next: z.number().optional(),
  }),
  async call({ folder: given = "/", from = 0 }, { store, signal }) {
    const read = readFolder(given);
    if ("problem" in read) return { problems: [read.problem] };
    const catalogue = catalogueOf(store);
    await catalogue.refreshed(store, signal);
    const cards = catalogue.cards();
    const unknown = whyNoFolder(
      cards.map(({ path }) => path),
      read.folder,
    );
    if (unknown) return { problems: [unknown] };
    const tree = folderTree(cards, { below: read.folder, from, limit });
    if (from > 0 && tree.documents.length + tree.folders.length === 0) {
      return { problems: [beyondEndProblem(from, `${read.folder} ends before it`)] };
    }
    const next = tree.more > 0 ? from + limit : undefined;
    const lines = [...tree.folders.map(folderLine), ...tree.documents.map(documentLine)];
    const head = `${read.folder}: ${counted(tree.total, "document")}`;
    return {
      data: {
        documents: tree.documents.map(({ path, title, tasks, openTasks, isUnreadable }) => ({
          document: path,
          title,
          tasks,
          open_tasks: openTasks,
          ...(isUnreadable && { unreadable: true }),
        })),
        folders: tree.folders.map(({ folder, documents, openTasks }) => ({
          folder,
          documents,
          open_tasks: openTasks,
        })),
        total: tree.total,
        ...(next !== undefined && { next }),
      },
      text: [head, ...lines, ...(next === undefined ? [] : [`(goes on: from ${next})`])].join("\n"),
    };
  },
});

function folderLine({ folder, documents, openTasks }: FolderCount): string {
  return `${oneLine(folder)} ${counted(documents, "document")}${openWords(openTasks)}`;
}

function documentLine({ path, title, openTasks, isUnreadable }: Card): string {
  return `${oneLine(path, 300)} ${title}${openWords(openTasks)}${isUnreadable ? " (cannot be read)" : ""}`;
}

function openWords(openTasks: number): string {
  return openTasks > 0 ? `, ${counted(openTasks, "open task")}` : "";
}
