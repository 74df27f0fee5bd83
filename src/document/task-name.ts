/** The name of a section that is a task: its pinned `Id`, which every tool uses and which no new title changes. */
import type { Document } from "./document.ts";
import type { DocumentSection } from "./section/sections.ts";

/** Undefined if the section has no name besides its slug, or if that name means something else. */
export function pinnedName(document: Document, section: DocumentSection): string | undefined {
  // Checking for a pinned id first is cheaper than reading all tasks.
  if (!/\bid[ \t]*:/i.test(document.slice(section.below, section.ownEnd))) return undefined;
  const task = document.tasks.tasks.find(({ place }) => place.whole.start === section.whole.start);
  if (!task || task.id === section.slug || document.sections.find(task.id)) return undefined;
  return document.tasks.find(task.id)?.place.whole.start === section.whole.start ? task.id : undefined;
}
