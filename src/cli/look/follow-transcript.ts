/**
 * `cox transcript TASK --follow`: shows what a task's agents say and do as it happens, turn by turn, until the task is
 * over. If no process is working on the run, it waits, because the run may be resumed.
 */
import type { Recorded } from "../../journal/journal.ts";
import type { State } from "../../kernel/state.ts";
import type { TaskId } from "../../plan/plan.ts";
import type { LineFollower } from "../../runtime/folder/line-follower.ts";
import { transcriptEntries, transcriptName } from "../../runtime/folder/transcript.ts";
import { entriesText, isEvent, turnEndText, turnHeadText } from "../../view/log/transcript-text.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { Display } from "../../view/text/line.ts";
import { pauseUnless } from "../../world/time/pause.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { runDocument, type SeenRun } from "./see-run.ts";
import { dispatchedTurns, type TurnTranscript } from "./transcripts.ts";

export interface FollowOptions {
  readonly task: TaskId;
  /** Show only this turn, until it ends. */
  readonly turn?: string;
}

const everyMs = 250;

export async function followTranscript(
  door: CommandContext,
  run: SeenRun,
  options: FollowOptions,
): Promise<ExitCode> {
  const { terminal, signal, clock } = door;
  const { look } = run;
  // The output is one entry per line, so problems with the log get one extra line before the entries.
  if (terminal.json && (look.damage || look.warnings.length > 0))
    terminal.print(runDocument(run, { run: run.folder.run }));
  const turns = new TurnsInOrder(door, run, options);
  try {
    turns.add(run.recorded);
    let isAloneShown = false;
    for (;;) {
      const { state, liveness } = look.seen(clock.now());
      // Read after the state: everything said before the task was over is in the transcript by now.
      turns.show();
      if (isOver(state, options) || look.damage) return exit.done;
      if (terminal.isUnread()) return exit.done;
      if (!liveness.isAlive && !isAloneShown) terminal.notice(alone);
      isAloneShown = !liveness.isAlive;
      await pauseUnless(signal, everyMs);
      if (signal.aborted) return exit.interrupted;
      turns.add(await look.read());
    }
  } finally {
    turns.end();
  }
}

const alone = "No process is working on the run. Resume it: cox resume. To stop watching: Ctrl-C\n";

function isOver({ status, tasks, turns }: State, { task, turn }: FollowOptions): boolean {
  if (status.name === "finished") return true;
  if (turn !== undefined) return ![...turns.keys()].some((one) => one === turn);
  const phase = tasks.get(task)?.phase.name;
  return phase === "done" || phase === "reverting" || phase === "failed";
}

/** The turns of a task as they are dispatched, beginning with the newest turn so far. */
class TurnsInOrder {
  readonly #waiting: TurnTranscript[] = [];
  #now: { readonly turn: TurnTranscript; readonly lines: LineFollower; events: number } | undefined;
  #hasBegun = false;

  constructor(
    private readonly door: CommandContext,
    private readonly run: SeenRun,
    private readonly options: FollowOptions,
  ) {}

  add(recorded: readonly Recorded[]): void {
    const { task, turn } = this.options;
    const found = dispatchedTurns(this.run.folder, recorded, task);
    const wanted = turn === undefined ? found : found.filter((one) => one.turn === turn);
    this.#waiting.push(...(this.#hasBegun ? wanted : wanted.slice(-1)));
    if (this.#waiting.length > 0) this.#hasBegun = true;
  }

  /** A turn begins only after the previous one has ended, so the transcript of the previous one is complete. */
  show(): void {
    this.#read();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      this.end();
      const { folder } = this.run;
      this.#now = { turn: next, lines: folder.follow(transcriptName(next.turn)), events: 0 };
      const { terminal } = this.door;
      terminal.print(terminal.json ? jsonText(next) : turnHeadText(next, this.#look()));
      this.#read();
    }
  }

  end(): void {
    const now = this.#now;
    if (!now) return;
    now.lines.close();
    this.#now = undefined;
    const { terminal } = this.door;
    if (!terminal.json) terminal.print(turnEndText(now.turn, now.events, this.#look()));
  }

  #read(): void {
    const now = this.#now;
    if (!now) return;
    const entries = transcriptEntries(now.lines.read());
    now.events += entries.filter(isEvent).length;
    const { terminal } = this.door;
    const { turn } = now.turn;
    terminal.print(
      terminal.json
        ? entries.map((entry) => jsonText({ turn, ...entry })).join("")
        : entriesText(entries, this.#look()),
    );
  }

  #look(): Display {
    const { paint, ascii, size } = this.door.terminal;
    return { ...size(), paint, ascii };
  }
}
