/** Rules about what the log records of files: every captured change is listed, and every request to delete is logged. */
import type { Event, Finding } from "../../src/kernel/event.ts";
import type { RecordedChangeset } from "../../src/kernel/recorded-changeset.ts";
import type { Violate } from "./violation.ts";

export class RecordRules {
  #last: Event | undefined;

  constructor(private readonly violate: Violate) {}

  see(event: Event): void {
    if (event.event === "developer_ready_for_audit") this.#work(event.data.files, event.data.changeset);
    if (event.event === "confirmation_requested") this.#deletes(event.data.turn, event.data.items);
    this.#last = event;
  }

  #work(files: readonly string[], changeset: RecordedChangeset | undefined): void {
    const listed = new Set(changeset?.operations.map(({ path }) => path));
    for (const file of files)
      if (!listed.has(file)) this.violate("recorded", `${file} was changed, and no operation says so`);
    for (const { path, operation, sha256, is_outside_work } of changeset?.operations ?? [])
      if (files.includes(path) === (is_outside_work ?? false) && sha256 !== undefined)
        this.violate("recorded", `${operation} ${path} is said to be part of the work, or not to be`);
  }

  #deletes(turn: string, items: readonly Finding[]): void {
    const { event, data } = this.#last ?? {};
    const logged =
      event === "delete_requested" && data && "files" in data && data.turn === turn ? data.files : [];
    for (const { code, path } of items)
      if (code === "CONFIRM_DELETE" && !logged.some((one) => typeof one !== "string" && one.path === path))
        this.violate("recorded", `a person is asked about deleting ${path}, which was not logged`);
  }
}
