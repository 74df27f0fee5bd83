/** How to do each task action, in the words of the door the user came through: a tool call or a command. */

import { type Address, activeList, addressText, type DocumentPath, fileOf } from "../document/address.ts";
import type { Author } from "../document/store.ts";
import { oneLine } from "../std/printable.ts";

export interface HowTo {
  /** The names of actions, for the history. */
  readonly operations: string;
  readonly start: string;
  readonly complete: string;
  readonly note: string;
  /** Ends of sentences: "call …", "type …". */
  toStart(address: Address): string;
  toTakeOver(address: Address): string;
  toComplete(address: Address): string;
  toNote(address: Address): string;
  toEdit(address: Address, what: string): string;
  /** Gives another title or an Id to a task whose name does not identify it. */
  toRename(place: TaskLocation): string;
  /** Moves a task up to the position of another one. */
  toMove(move: TaskMove): string;
  toCreate(path: DocumentPath): string;
  toList(path: DocumentPath): string;
  /** What to do about a missing document, if the default hint, which names tools, does not fit. */
  readonly whereMissing?: string;
  /** How to give the first task of the list its Main-Workflow. */
  readonly sayMain: string;
}

export interface TaskLocation {
  readonly path: DocumentPath;
  readonly line: number;
  /** The slug of its heading, or of the heading it is under. */
  readonly section: string | undefined;
  readonly isHeading: boolean;
}

export interface TaskMove {
  readonly path: DocumentPath;
  readonly before: string;
  readonly from: string;
  /** Short tasks, `- [ ]`, are moved as text. */
  readonly areHeadings: boolean;
}

export function howTo({ door }: Author, path: DocumentPath): HowTo {
  if (door === "terminal") return atTerminal(path);
  const kind = path === activeList ? "coordinator" : "subagent";
  const start = `start_${kind}_task`;
  const complete = `complete_${kind}_task`;
  const operations = `${kind}_task`;
  const on = (address: Address) =>
    path === activeList ? "" : ` with document: ${oneLine(addressText(address), 200)}`;
  const of = (of: DocumentPath) => (of === activeList ? "" : ` on ${oneLine(of, 200)}`);
  return {
    operations,
    start,
    complete,
    note: operations,
    toStart: (address) => `call ${start}${on(address)}`,
    toTakeOver: (address) => `call ${start}${on(address)}${on(address) ? " and" : " with"} take_over: true`,
    toComplete: (address) => `call ${complete}${on(address)}`,
    toNote: ({ path: document, slug = "" }) =>
      `call ${operations}${of(document)} with operation note, slug ${oneLine(slug, 100)} and note`,
    toEdit: ({ path: document, slug = "" }, what) =>
      `call ${operations}${of(document)} with operation edit, slug ${oneLine(slug, 100)} and ${what}`,
    toRename: ({ path: document, line, section, isHeading }) => {
      const where = `call section with document ${oneLine(document, 200)}`;
      const slug = oneLine(section ?? "", 100);
      return isHeading
        ? `${where} and operations [{"operation": "rename", "slug": "${slug}", "title": "ANOTHER TITLE"}]`
        : `${where} and operations [{"operation": "replace", "slug": "${slug}", "content": "…"}]: the list as it is, with other words or "- Id: NAME" for the one of line ${line}`;
    },
    toMove: ({ path: document, before, from, areHeadings }) =>
      areHeadings
        ? `call section with document ${oneLine(document, 200)} and operations [{"operation": "insert_before", "slug": "${oneLine(before, 100)}", "from": "${oneLine(from, 100)}"}]`
        : `call section with document ${oneLine(document, 200)}, operation replace on the heading of its tasks, and the list in its order`,
    toCreate: (document) => `call ${operations}${of(document)} with operation create`,
    toList: (document) => `call ${operations}${of(document)} with operation list`,
    sayMain: "Write it into its content: - Main-Workflow: NAME",
  };
}

function atTerminal(path: DocumentPath): HowTo {
  const on = ({ path: document, slug }: Address) =>
    document === activeList
      ? ""
      : ` --document ${oneLine(addressText({ path: document, ...(slug && { slug }) }), 200)}`;
  return {
    operations: "cox task add",
    start: "cox task start",
    complete: "cox task done",
    note: "cox task note",
    toStart: (address) => `type: cox task start${on(address)}`,
    toTakeOver: (address) => `type: cox task start --take-over${on(address)}`,
    toComplete: (address) => `type: cox task done --note TEXT${on(address)}`,
    toNote: ({ path: document, slug = "" }) =>
      `type: cox task note TEXT${document === activeList ? ` --task ${oneLine(slug, 100)}` : on({ path: document, slug })}`,
    toEdit: ({ slug = "" }, what) => `edit ${whereIs(path)}: give #${oneLine(slug, 100)} ${what}`,
    toRename: ({ line }) =>
      `edit ${whereIs(path)}, line ${line}: other words, or a line below it that says - Id: NAME`,
    toMove: ({ before, from }) =>
      `in ${whereIs(path)} put #${oneLine(from, 100)} before #${oneLine(before, 100)}`,
    toCreate: (document) => `type: cox task add TITLE${on({ path: document })}`,
    toList: (document) => `type: cox task list${on({ path: document })}`,
    whereMissing: `Documents are files below .coxswain/docs; make one: ${whereIs(path)}`,
    sayMain: "Name it: --main-workflow NAME",
  };
}

/** The file, as seen from the root of the repository. */
export function whereIs(path: DocumentPath): string {
  return oneLine(`.coxswain/${fileOf(path)}`, 300);
}
