/**
 * The files of a run that people and other programs look at: state.json, progress.md, live.json. All of them are made from the
 * state, at most once a second and at the end; none is ever read back, so one that is lost or spoilt costs nothing.
 */
import type { Recorded } from "../journal/journal.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import { progressPage } from "../view/run-progress.ts";
import { stateFile } from "../view/state-file.ts";
import type { Coordinator } from "./coordinator.ts";
import type { LiveSigns } from "./live-signs.ts";
import type { RunFolder } from "./run-folder.ts";

const everyMs = 1000;

export class RunViews {
  #takeBack: (() => void) | undefined;
  #isWriting: Promise<void> | undefined;
  readonly #recorded: Recorded[] = [];

  constructor(
    private readonly coordinator: Coordinator,
    private readonly folder: RunFolder,
    private readonly signs: LiveSigns,
  ) {
    coordinator.watch({
      onRecorded: (recorded) => {
        this.#recorded.push(...recorded);
        this.#soon();
      },
    });
  }

  async end(): Promise<void> {
    this.#takeBack?.();
    await this.#isWriting;
    await this.#write();
  }

  #soon(): void {
    this.#takeBack ??= this.coordinator.hands.clock.after(everyMs, () => {
      this.#takeBack = undefined;
      this.#isWriting = this.#write().catch((error: unknown) => this.coordinator.fail(error));
    });
  }

  async #write(): Promise<void> {
    const { state, hands } = this.coordinator;
    const liveness = this.signs.liveness();
    const state_json = stateFile(state, { savedAt: hands.clock.now() });
    await this.folder.keep("state.json", encodeUtf8(`${JSON.stringify(state_json, null, 2)}\n`));
    await this.folder.keep("progress.md", encodeUtf8(progressPage(state, this.#recorded)));
    const live = {
      at: hands.clock.now(),
      time: this.coordinator.now(),
      turns: Object.fromEntries(liveness.turns),
    };
    await this.folder.keep("live.json", encodeUtf8(`${JSON.stringify(live)}\n`));
  }
}
