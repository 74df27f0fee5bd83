/**
 * The files of a run for people and other programs: state.json, and progress.md with its pages. All are made from the
 * log, at most once a second and at the end, and each is replaced atomically. A run never restores anything from them, so
 * a lost or damaged one costs nothing. A full page of progress.md is written once and not touched again.
 */

import { DiskFailed } from "../../durable/guard.ts";
import type { Recorded } from "../../journal/journal.ts";
import { isInTrouble, type State } from "../../kernel/state.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { stateFile } from "../../view/end/state-file.ts";
import { RunProgress } from "../../view/progress/run-progress.ts";
import { RunTimes } from "../../view/run-times.ts";
import { jsonText } from "../../view/text/json-text.ts";
import { errnoOf } from "../../world/files/errno.ts";
import type { Coordinator } from "../loop/coordinator.ts";
import type { RunFolder } from "./run-folder.ts";

const everyMs = 1000;

/** The views that are rewritten repeatedly. */
export const viewNames = ["state.json", "progress.md", "live.json"] as const;

export class RunViews {
  #takeBack: (() => void) | undefined;
  #isWriting: Promise<void> | undefined;
  /** Something was recorded while the files were being written. */
  #isOutdated = false;
  readonly #progress = new RunProgress();
  readonly #times = new RunTimes();

  constructor(
    private readonly coordinator: Coordinator,
    private readonly folder: RunFolder,
  ) {
    for (const recorded of coordinator.recordedSoFar) this.#add(recorded);
    coordinator.watch({
      onRecorded: (recorded) => {
        for (const one of recorded) this.#add(one);
        this.#soon();
      },
    });
  }

  async end(): Promise<void> {
    await this.#isWriting;
    this.#takeBack?.();
    const last = this.#write();
    // Later events start no further write.
    this.#isWriting = last.catch(() => {});
    await last.catch((error: unknown) => {
      if (!isReportedTrouble(this.coordinator.state, error)) throw error;
    });
  }

  #add(recorded: Recorded): void {
    this.#progress.add(recorded);
    this.#times.add(recorded);
  }

  /** Only one write at a time: two concurrent ones would fight over the same file. */
  #soon(): void {
    if (this.#isWriting) this.#isOutdated = true;
    else this.#takeBack ??= this.coordinator.ports.clock.after(everyMs, () => this.#begin());
  }

  #begin(): void {
    this.#takeBack = undefined;
    this.#isOutdated = false;
    const { coordinator } = this;
    this.#isWriting = this.#write()
      .catch((error: unknown) => {
        if (!isReportedTrouble(coordinator.state, error)) coordinator.fail(error);
      })
      .then(() => {
        this.#isWriting = undefined;
        if (this.#isOutdated) this.#soon();
      });
  }

  async #write(): Promise<void> {
    const { state, ports } = this.coordinator;
    const now = { at: ports.clock.now(), time: this.coordinator.now() };
    const file = stateFile({ state, now, times: this.#times });
    await this.folder.keep("state.json", encodeUtf8(jsonText(file, 2)));
    await this.#writePages();
    await this.folder.keep("progress.md", encodeUtf8(this.#progress.text(state)));
  }

  /**
   * Pages are written before the text that links to them. An existing page is already correct, because it depends on the
   * log alone.
   */
  async #writePages(): Promise<void> {
    const { pages } = this.#progress;
    for (const page of pages.unwritten) {
      if (!this.folder.has(page.name)) await this.folder.keep(page.name, encodeUtf8(page.text));
      pages.written(page);
    }
  }
}

/**
 * Whether a disk error is the one that the run has already paused for. It was reported then, and is not reported again.
 */
export function isReportedTrouble(state: State, error: unknown): boolean {
  return isInTrouble(state) && (error instanceof DiskFailed || errnoOf(error) !== undefined);
}
