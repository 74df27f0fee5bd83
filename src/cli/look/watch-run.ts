/**
 * Shows a run as it changes, until it is over: also through a pause, and while no process works on it, because another
 * one may resume it. On a watched terminal it redraws in place; elsewhere it prints one block after another; under
 * `--json`, one document per line.
 */
import { stripVTControlCharacters } from "node:util";
import type { RunLook } from "../../runtime/look-at-run.ts";
import type { RunSnapshot } from "../../view/status/liveness.ts";
import { runHeadline } from "../../view/status/run-headline.ts";
import { cutTo, widthOf } from "../../view/text/width.ts";
import { pauseUnless } from "../../world/time/pause.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { LiveRegion } from "../terminal/live-region.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface Pictures {
  text(seen: RunSnapshot, door: Pick<CommandContext, "terminal">): string;
  document(seen: RunSnapshot): string;
}

const everyMs = 500;

export async function watchRun(
  door: CommandContext,
  { look }: { readonly look: RunLook },
  pictures: Pictures,
): Promise<ExitCode> {
  const { terminal, signal, clock } = door;
  const view = terminal.isWatched ? inPlace(door, pictures) : inBlocks(terminal, pictures);
  try {
    for (;;) {
      const seen = look.seen(clock.now());
      if (isOver(seen) || look.damage) break;
      view.show(seen);
      await pauseUnless(signal, everyMs);
      if (signal.aborted) return exit.interrupted;
      if (terminal.isUnread()) return exit.done;
      await look.read();
    }
    // The writer may have added its last records between our look at the log and our look at its lock.
    await look.read();
    view.end(look.seen(clock.now()));
    return exit.done;
  } finally {
    view.leave();
  }
}

/** A finished run is not over while its process still works: it may be landing it. */
function isOver({ state, liveness }: RunSnapshot): boolean {
  return (state.status.name === "finished" || state.status.name === "none") && !liveness.isAlive;
}

/** What the picture does not say: why watching continues, or that it ends. */
function watchWords(seen: RunSnapshot): string {
  if (isOver(seen)) return `The run is over: ${runHeadline(seen).words}.\n`;
  if (seen.liveness.isAlive) return "";
  return "No process is working on the run. Updates appear here when one resumes it. Ctrl-C to leave.\n";
}

interface View {
  show(seen: RunSnapshot): void;
  /** Prints the final picture, which stays. */
  end(seen: RunSnapshot): void;
  leave(): void;
}

function inPlace({ terminal, ignoreKeys }: CommandContext, { text }: Pictures): View {
  const region = new LiveRegion({ write: terminal.notice });
  const forget = ignoreKeys(region);
  const leave = () => region.end();
  process.once("exit", leave);
  // The region is written to stderr, so use the colours of that stream.
  const there = { terminal: { ...terminal, paint: terminal.noticePaint } };
  return {
    show: (seen) => region.show(frameOf(withWords(text(seen, there), watchWords(seen)), terminal.size())),
    end(seen) {
      region.end();
      terminal.print(withWords(text(seen, { terminal }), watchWords(seen)));
    },
    leave() {
      forget();
      region.end();
      process.removeListener("exit", leave);
    },
  };
}

function withWords(picture: string, words: string): string {
  return words === "" ? picture : `${picture}\n${words}`;
}

/** Cuts the text to the screen. A region cannot redraw a line that the terminal wrapped, or one that has scrolled away. */
function frameOf(text: string, { columns, rows }: { columns: number; rows: number }): string[] {
  const lines = text.trimEnd().split("\n");
  return lines.slice(0, Math.max(1, rows - 1)).map((line) => {
    const plain = stripVTControlCharacters(line);
    return widthOf(plain) > columns ? cutTo(plain, columns) : line;
  });
}

function inBlocks(terminal: Terminal, { text, document }: Pictures): View {
  let last = "";
  const show = (seen: RunSnapshot) => {
    // Times change constantly. Only a new record, or a process that starts or ends, is worth another block.
    const now = `${seen.state.seq} ${seen.liveness.isAlive}`;
    if (now === last) return;
    const gap = last === "" || terminal.json ? "" : "\n";
    last = now;
    terminal.print(
      gap + (terminal.json ? document(seen) : withWords(text(seen, { terminal }), watchWords(seen))),
    );
  };
  return { show, end: show, leave: () => {} };
}
