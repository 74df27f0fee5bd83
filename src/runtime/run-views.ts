/**
 * The files of a run that people and other programs look at: state.json, progress.md, live.json. All of them are made from the
 * state, at most once a second and at the end; none is ever read back, so one that is lost or spoilt costs nothing.
 */
import type { Recorded } from "../journal/journal.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { jsonText } from "../view/json-text.ts";
import { RunProgress } from "../view/run-progress.ts";
import { RunTimes } from "../view/run-times.ts";
import { stateFile } from "../view/state-file.ts";
import type { Coordinator } from "./coordinator.ts";
import type { LiveSigns } from "./live-signs.ts";
import type { RunFolder } from "./run-folder.ts";

const everyMs = 1000;

export class RunViews {
  #takeBack: (() => void) | undefined;
  #isWriting: Promise<void> | undefined;
  readonly #progress = new RunProgress();
  readonly #times = new RunTimes();

  constructor(
    private readonly coordinator: Coordinator,
    private readonly folder: RunFolder,
    private readonly signs: LiveSigns,
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
    this.#takeBack?.();
    await this.#isWriting;
    await this.#write();
  }

  #add(recorded: Recorded): void {
    this.#progress.add(recorded);
    this.#times.add(recorded);
  }

  #soon(): void {
    this.#takeBack ??= this.coordinator.hands.clock.after(everyMs, () => {
      this.#takeBack = undefined;
      this.#isWriting = this.#write().catch((error: unknown) => this.coordinator.fail(error));
    });
  }

  async #write(): Promise<void> {
    const { state, hands } = this.coordinator;
    const now = { at: hands.clock.now(), time: this.coordinator.now() };
    const file = stateFile({ state, now, times: this.#times });
    await this.folder.keep("state.json", encodeUtf8(jsonText(file, 2)));
    await this.folder.keep("progress.md", encodeUtf8(this.#progress.text(state)));
    const live = { ...now, turns: Object.fromEntries(this.signs.liveness().turns) };
    await this.folder.keep("live.json", encodeUtf8(jsonText(live)));
  }
}
