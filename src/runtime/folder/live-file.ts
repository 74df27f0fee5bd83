/**
 * live.json: the latest signs of life of everything under way, for people and programs that watch a run from outside. The
 * process working on the run writes it twice a second from the signs that its own live view shows, so both agree.
 */
import type { Moment } from "../../kernel/moment.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { Coordinator } from "../loop/coordinator.ts";
import type { LiveSigns } from "../loop/live-signs.ts";
import { liveFileName } from "./live-record.ts";
import type { RunFolder } from "./run-folder.ts";

/** Often enough that an outside viewer is never a second behind. */
const everyMs = 500;

export class LiveFile {
  #takeBack = () => {};
  #ended: Moment | undefined;

  constructor(
    private readonly coordinator: Coordinator,
    private readonly folder: Pick<RunFolder, "show">,
    private readonly signs: LiveSigns,
  ) {
    this.#beat();
  }

  /** Records that the process ends on its own. Returns the moment of the first call. */
  end(): Moment {
    this.#takeBack();
    this.#ended ??= this.#write({ has_ended: true });
    return this.#ended;
  }

  #beat(): void {
    this.#write({});
    this.#takeBack = this.coordinator.ports.clock.after(everyMs, () => this.#beat());
  }

  #write(facts: { readonly has_ended?: true }): Moment {
    const { coordinator, signs } = this;
    const now = { at: coordinator.ports.clock.now(), time: coordinator.now() };
    const { turns, checks } = signs.liveness();
    const live = { ...now, turns: Object.fromEntries(turns), checks: Object.fromEntries(checks), ...facts };
    try {
      this.folder.show(liveFileName, encodeUtf8(jsonText(live)));
    } catch {
      // If the disk is full, the writes that matter report it.
    }
    return now;
  }
}
