/** Adds what a reply wanted done to the files to the events that report its outcome. Nothing is decided by it. */
import type { ReplyRecord } from "../../command.ts";
import type { Event, Events } from "../../event.ts";
import { allowanceKey, type MutableState, type Turn } from "../../state.ts";

/** Only if there is a changeset: most questions, and most attempts that were given up, changed no files. */
export function withRecord(
  { task, turn, deletesLogged }: Turn,
  events: readonly Event[],
  record: ReplyRecord | undefined,
): readonly Event[] {
  const [first, ...rest] = events;
  const withRecorded = record && first && withChangeset(first, record);
  if (!withRecorded) return events;
  const logged = new Set(deletesLogged);
  const files = record.deletes?.files.filter((file) => !logged.has(allowanceKey(file))) ?? [];
  const known = (record.deletes?.files.length ?? 0) - files.length;
  const requested: Event[] =
    record.deletes && files.length > 0
      ? [
          {
            event: "delete_requested",
            data: { task, turn, ...record.deletes, files, total: record.deletes.total - known },
          },
        ]
      : [];
  return [...requested, withRecorded, ...rest];
}

function withChangeset(event: Event, { changeset }: ReplyRecord): Event | undefined {
  switch (event.event) {
    case "developer_ready_for_audit":
      return { event: event.event, data: { ...event.data, changeset } };
    case "reply_refused":
      return { event: event.event, data: { ...event.data, changeset } };
    case "confirmation_requested":
      return { event: event.event, data: { ...event.data, changeset } };
    case "agent_seeks_guidance":
      return { event: event.event, data: { ...event.data, changeset } };
    case "task_incomplete":
      return { event: event.event, data: { ...event.data, changeset } };
    default:
      return undefined;
  }
}

export function onDeleteRequested(
  state: MutableState,
  { turn: id, files }: Events["delete_requested"],
): void {
  const turn = state.replies.get(id);
  if (turn) turn.deletesLogged = [...turn.deletesLogged, ...files.map(allowanceKey)];
}
