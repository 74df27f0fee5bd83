/** The name of a section that is a task: its pinned `Id`, which every tool knows it by and which no new title changes. */
import type { Document } from "./document.ts";
import type { Section } from "./sections.ts";

/** Nothing where the section has no other name than its slug, or where that name means something else. */
export function pinnedName(document: Document, section: Section): string | undefined {
  // To read all tasks costs more than to see that no id is pinned here.
  if (!/\bid[ \t]*:/i.test(document.slice(section.below, section.ownEnd))) return undefined;
  const task = document.tasks.tasks.find(({ place }) => place.whole.start === section.whole.start);
  if (!task || task.id === section.slug || document.sections.find(task.id)) return undefined;
  return document.tasks.find(task.id)?.place.whole.start === section.whole.start ? task.id : undefined;
}
