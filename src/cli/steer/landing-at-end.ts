/**
 * Lands a run at its end, as the plan or the configuration says: `auto` lands a clean fast-forward, `ask` offers it to
 * the person watching, and otherwise the summary names the command to use.
 */
import { LockHeld } from "../../durable/lock.ts";
import type { DecisionMaker } from "../../kernel/decision-maker.ts";
import { readRunSettings } from "../../runtime/folder/run-inputs.ts";
import { landAlone } from "../../runtime/landing/land-alone.ts";
import type { RunWorld } from "../../runtime/run-world.ts";
import type { OpenRun } from "../../runtime/start/open-run.ts";
import { landingText } from "../../view/end/landing.ts";
import type { ProblemDocument } from "../../view/text/document.ts";
import { problemsText } from "../../view/text/problems.ts";
import type { CommandContext } from "../command-context.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";
import { landWatched } from "./land-watched.ts";
import { landedWords, landingProblems, plannedLanding } from "./landing.ts";

/** A run that is being driven, and the user at the terminal, for the record. */
export interface DrivenRun {
  readonly world: RunWorld;
  readonly open: OpenRun;
  readonly user: string;
  /** The plan's warnings, for the final document; missing if the run was resumed and they were shown before. */
  readonly warnings?: readonly ProblemDocument[];
}

/** How long to wait for another landing, which takes a second or as long as its verify commands. */
const waitMs = 10_000;

export class LandingAtEnd {
  readonly #landSetting: "ask" | "auto" | "never";

  constructor(
    private readonly door: CommandContext,
    private readonly driving: DrivenRun,
  ) {
    const { folder, coordinator } = driving.open;
    this.#landSetting = readRunSettings(folder, coordinator.state).settings.land ?? "ask";
  }

  /** Before the summary: lands only if the user's branch needs no merge. */
  async byItself(): Promise<void> {
    if (this.#landSetting === "auto" && this.#hasCommits())
      await this.#alone(waitMs, () => this.#landIfForward());
  }

  async #landIfForward(): Promise<void> {
    const { terminal } = this.door;
    const planned = await plannedLanding(this.driving.world, this.driving.open.coordinator.state);
    if (planned.kind === "possible" && planned.shown.how === "fast-forward")
      await this.#land({ who: this.driving.user, door: "plan" });
    else if (planned.kind === "possible")
      terminal.notice("Not landed automatically: your branch has moved, so it needs a merge: cox land\n");
    else if (planned.kind === "refused")
      terminal.notice(problemsText([planned.problem], "warning", terminal.noticePaint));
  }

  /** After the summary, if somebody is watching. */
  async ifWanted(): Promise<void> {
    const { door } = this;
    const { terminal } = door;
    if (this.#landSetting !== "ask" || !this.#hasCommits() || !terminal.isWatched || door.signal.aborted)
      return;
    await this.#alone(0, () => this.#landIfAgreed());
  }

  async #landIfAgreed(): Promise<void> {
    const { door } = this;
    const { terminal } = door;
    const planned = await plannedLanding(this.driving.world, this.driving.open.coordinator.state);
    if (planned.kind !== "possible") return;
    const look = { ...terminal.size(), paint: terminal.noticePaint, ascii: terminal.ascii };
    const asked = { shown: landingText(planned.shown, look), question: "Land it now?" };
    if ((await yesOrNo(door, asked)) !== "yes") return;
    await this.#land({ who: this.driving.user, door: "terminal" });
  }

  /** Lands under the lock. The run is done either way, so another landing in progress is only reported. */
  async #alone(waitMs: number, land: () => Promise<void>): Promise<void> {
    const { files, repository } = this.driving.world;
    const { terminal } = this.door;
    try {
      await landAlone({ files, root: repository.root, waitMs }, land);
    } catch (error) {
      if (!(error instanceof LockHeld)) throw error;
      terminal.notice(`Not landed: ${error.message}. When that process has ended: cox land\n`);
    }
  }

  #hasCommits(): boolean {
    const { state } = this.driving.open.coordinator;
    return state.tip !== state.run?.base;
  }

  async #land(by: DecisionMaker): Promise<void> {
    const { terminal } = this.door;
    const landed = await landWatched(this.door, { ...this.driving, by });
    const problems = landingProblems(landed, this.driving.open.coordinator.state, terminal);
    if (problems.length > 0) terminal.notice(problemsText(problems, "warning", terminal.noticePaint));
    else if (landed.kind === "landed")
      terminal.notice(`${terminal.noticePaint("green", "✓")} ${landedWords(landed)}\n`);
  }
}
