/**
 * Landing at the end of a run that is done, as the plan or the configuration wishes: `auto` lands what is a clean
 * fast-forward, `ask` offers it to whoever watches, and otherwise the summary says which command does it.
 */
import type { Decider } from "../kernel/decider.ts";
import type { OpenRun } from "../runtime/open-run.ts";
import { readSettings } from "../runtime/run-inputs.ts";
import type { RunWorld } from "../runtime/run-world.ts";
import type { ProblemDocument } from "../view/document.ts";
import { landingText } from "../view/landing.ts";
import { problemsText } from "../view/problems.ts";
import type { Door } from "./door.ts";
import { landWatched } from "./land-watched.ts";
import { landedWords, landingProblems, plannedLanding } from "./landing.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** A run that is being driven, and who sits at the terminal, for the record. */
export interface Driving {
  readonly world: RunWorld;
  readonly open: OpenRun;
  readonly user: string;
  /** Of its plan, for the document at the end; nothing where it goes on and they were told before. */
  readonly warnings?: readonly ProblemDocument[];
}

export class LandingAtEnd {
  readonly #wish: "ask" | "auto" | "never";

  constructor(
    private readonly door: Door,
    private readonly driving: Driving,
  ) {
    const { folder, coordinator } = driving.open;
    this.#wish = readSettings(folder, coordinator.state).settings.land ?? "ask";
  }

  /** Before the run is summed up: only what the user's branch takes without a merge. */
  async byItself(): Promise<void> {
    if (this.#wish !== "auto" || !this.#hasCommits()) return;
    const { terminal } = this.door;
    const planned = await plannedLanding(this.driving.world, this.driving.open.coordinator.state);
    if (planned.kind === "possible" && planned.shown.how === "fast-forward")
      await this.#land({ who: this.driving.user, door: "plan" });
    else if (planned.kind === "possible")
      terminal.notice("Not landed by itself: your branch went on meanwhile, so it takes a merge: cox land\n");
    else if (planned.kind === "refused")
      terminal.notice(problemsText([planned.problem], "warning", terminal.noticePaint));
  }

  /** After the run was summed up, for whoever watches. */
  async ifWanted(): Promise<void> {
    const { door } = this;
    const { terminal } = door;
    if (this.#wish !== "ask" || !this.#hasCommits() || !terminal.isWatched || door.signal.aborted) return;
    const planned = await plannedLanding(this.driving.world, this.driving.open.coordinator.state);
    if (planned.kind !== "possible") return;
    const look = { ...terminal.size(), paint: terminal.noticePaint, ascii: terminal.ascii };
    const asked = { shown: landingText(planned.shown, look), question: "Land it now?" };
    if ((await yesOrNo(door, asked)) !== "yes") return;
    await this.#land({ who: this.driving.user, door: "terminal" });
  }

  #hasCommits(): boolean {
    const { state } = this.driving.open.coordinator;
    return state.tip !== state.run?.base;
  }

  async #land(by: Decider): Promise<void> {
    const { terminal } = this.door;
    const landed = await landWatched(this.door, { ...this.driving, by });
    const problems = landingProblems(landed, this.driving.open.coordinator.state, terminal);
    if (problems.length > 0) terminal.notice(problemsText(problems, "warning", terminal.noticePaint));
    else if (landed.kind === "landed")
      terminal.notice(`${terminal.noticePaint("green", "✓")} ${landedWords(landed)}\n`);
  }
}
