/** `section`: reads one section, or edits the sections of a document. */
import { z } from "zod";
import { type Address, readAddress } from "../../../document/address.ts";
import { catalogueOf } from "../../../document/catalogue.ts";
import { shortHash } from "../../../document/document.ts";
import { findDocument, findPart } from "../../../document/find-document.ts";
import { linksBack } from "../../../document/link/links-back.ts";
import { type ChangedSections, changeSections } from "../../../document/section/change-sections.ts";
import { sectionVerbs } from "../../../document/section/section-operation.ts";
import { counted } from "../../../std/counted.ts";
import { lostVerify } from "../../../task/operation/verify-warnings.ts";
import { pageOf } from "../../../task/page.ts";
import { stateOf } from "../../../task/record/task-record.ts";
import { type ToolContext, tool } from "../../tool.ts";

export const section = tool({
  name: "section",
  group: "documents",
  title: "Read or edit sections",
  description:
    "Reads a section and reports what refers to it; with operations, edits sections of a document, all or none. References follow renamed sections.",
  does: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  input: z.strictObject({
    document: z.string().describe("/api/auth.md or /api/auth.md#slug"),
    operations: z
      .array(
        z.strictObject({
          operation: z.enum(sectionVerbs).describe("replace_text keeps sub-sections"),
          slug: z.string().optional().describe("Default: the one of `document`"),
          title: z.string().optional().describe("Of a new or renamed section, without #"),
          content: z.string().optional().describe("Markdown below the heading"),
          from: z.string().optional().describe("Section to move here"),
        }),
      )
      .min(1)
      .max(100)
      .optional(),
    hash: z.string().min(8).optional().describe("Refuse if the document has changed"),
  }),
  output: z.object({
    document: z.string(),
    hash: z.string(),
    text: z.string().optional(),
    referred_by: z.array(z.string()).optional(),
    slugs: z.array(z.string().nullable()).optional(),
    removed: z.array(z.string()).optional(),
    next: z.number().optional(),
  }),
  async call({ document: given, operations, hash }, context) {
    const read = readAddress(given);
    if ("problem" in read) return { problems: [read.problem] };
    const { path, slug } = read.address;
    if (!operations) return readSection(read.address, context);
    const before = context.store.read(path).document;
    const changed = await changeSections(context.store, context.author, {
      path,
      operations: operations.map((operation) => ({
        ...operation,
        slug: operation.slug?.replace(/^#/, "") ?? slug,
        from: operation.from?.replace(/^#/, ""),
      })),
      ...(hash === undefined ? { seen: context.seen } : { hash }),
      tool: "section",
    });
    if ("problems" in changed) return changed;
    const warnings = lostVerify(before, changed.document);
    const said = warnings.map(({ message, hint }) => `Warning: ${message}. ${hint}`);
    return {
      data: { ...dataOf(changed), ...(warnings.length > 0 && { warnings }) },
      text: [textOf(changed, operations.length), ...said].join("\n"),
    };
  },
});

async function readSection({ path, slug }: Address, { store, seen, signal }: ToolContext) {
  const found = findDocument(store, path);
  if ("problem" in found) return { problems: [found.problem] };
  const { document } = found;
  const part = slug === undefined ? undefined : findPart(document, slug);
  if (part && "problem" in part) return { problems: [part.problem] };
  const within = part?.part.whole ?? { start: 0, end: document.length };
  const { text = "", next } = pageOf(document, { within, isOutline: false });
  seen.shown(document, { start: within.start, end: next ?? within.end });
  const catalogue = catalogueOf(store);
  await catalogue.refreshed(store, signal);
  const referredBy = linksBack(store, catalogue, { path, ...(part && { slugs: part.part.names }) });
  const hash = shortHash(document);
  const name = part ? `${path}#${part.part.slug}` : path;
  return {
    data: { document: name, hash, text, referred_by: referredBy, ...(next !== undefined && { next }) },
    text: [
      `${name} (hash ${hash})`,
      text,
      ...(next === undefined ? [] : [`(continues: view_document, from ${next})`]),
      ...(referredBy.length > 0 ? [`Referred to by ${shownList(referredBy)}`] : []),
    ].join("\n"),
  };
}

function dataOf({ document, slugs, renamed, removed, removedTasks, rewritten, broken }: ChangedSections) {
  return {
    document: document.path,
    hash: shortHash(document),
    slugs: slugs.map((slug) => slug ?? null),
    removed: [...removed],
    ...(removedTasks.length > 0 && {
      removed_tasks: removedTasks.map((task) => ({
        slug: task.id,
        title: task.title,
        status: stateOf(task),
      })),
    }),
    renamed: Object.fromEntries(renamed),
    rewritten,
    broken,
  };
}

function textOf(
  { document, slugs, renamed, removed, removedTasks, rewritten, broken }: ChangedSections,
  count: number,
): string {
  const touched = [...new Set(slugs.flatMap((slug) => (slug === undefined ? [] : [`#${slug}`])))];
  return [
    `${counted(count, "operation")} done on ${document.path}${touched.length > 0 ? `: ${shownList(touched)}` : ""} (hash ${shortHash(document)})`,
    ...(removed.length > 0 ? [`Removed ${shownList(removed.map((slug) => `#${slug}`))}`] : []),
    ...(removedTasks.length > 0
      ? [`Removed tasks: ${shownList(removedTasks.map((task) => `#${task.id} (${stateOf(task)})`))}`]
      : []),
    ...(renamed.size > 0
      ? [`Renamed ${shownList([...renamed].map(([was, is]) => `#${was} to #${is}`))}`]
      : []),
    ...(rewritten.length > 0 ? [`References followed in ${shownList(rewritten)}`] : []),
    ...broken.map(({ slug, from }) => `#${slug} is gone, but still referred to by ${shownList(from)}`),
  ].join("\n");
}

/** The rest is only in the data. */
function shownList(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(", ");
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
