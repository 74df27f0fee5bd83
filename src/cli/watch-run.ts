/**
 * Shows a run again and again as it changes, until nobody is at work on it any more: in place where somebody watches, as
 * blocks one below the other elsewhere, one document a line under `--json`.
 */
import { stripVTControlCharacters } from "node:util";
import type { RunLook } from "../runtime/look-at-run.ts";
import type { Seen } from "../view/liveness.ts";
import { cutTo, widthOf } from "../view/width.ts";
import { pauseUnless } from "../world/pause.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";
import { LiveRegion } from "./live-region.ts";
import type { Terminal } from "./terminal.ts";

export interface Pictures {
  text(seen: Seen, door: Pick<Door, "terminal">): string;
  document(seen: Seen): string;
}

const everyMs = 500;

export async function watchRun(
  door: Door,
  { look }: { readonly look: RunLook },
  pictures: Pictures,
): Promise<ExitCode> {
  const { terminal, signal, clock } = door;
  const view = terminal.isWatched ? inPlace(terminal, pictures) : inBlocks(terminal, pictures);
  try {
    for (;;) {
      const seen = look.seen(clock.now());
      if (!seen.liveness.isAlive) break;
      view.show(seen);
      await pauseUnless(signal, everyMs);
      if (signal.aborted) return exit.interrupted;
      if (terminal.isUnread()) return exit.done;
      await look.read();
    }
    // It may have written its last words between our look at the log and our look at its lock.
    await look.read();
    view.end(look.seen(clock.now()));
    return exit.done;
  } finally {
    view.leave();
  }
}

interface View {
  show(seen: Seen): void;
  /** The picture that stays. */
  end(seen: Seen): void;
  leave(): void;
}

function inPlace(terminal: Terminal, { text }: Pictures): View {
  const region = new LiveRegion({ write: terminal.notice });
  const leave = () => region.end();
  process.once("exit", leave);
  // What goes where the region is has that stream's colours.
  const there = { terminal: { ...terminal, paint: terminal.noticePaint } };
  return {
    show: (seen) => region.show(frameOf(text(seen, there), terminal.size())),
    end(seen) {
      region.end();
      terminal.print(text(seen, { terminal }));
    },
    leave() {
      region.end();
      process.removeListener("exit", leave);
    },
  };
}

/** A region cannot go back over a line that the terminal broke in two, nor over what has left the screen. */
function frameOf(text: string, { columns, rows }: { columns: number; rows: number }): string[] {
  const lines = text.trimEnd().split("\n");
  return lines.slice(0, Math.max(1, rows - 1)).map((line) => {
    const plain = stripVTControlCharacters(line);
    return widthOf(plain) > columns ? cutTo(plain, columns) : line;
  });
}

function inBlocks(terminal: Terminal, { text, document }: Pictures): View {
  let last = "";
  const show = (seen: Seen) => {
    // Times change all the time; what is worth another block was recorded.
    const now = `${seen.state.seq} ${seen.liveness.isAlive}`;
    if (now === last) return;
    const gap = last === "" || terminal.json ? "" : "\n";
    last = now;
    terminal.print(gap + (terminal.json ? document(seen) : text(seen, { terminal })));
  };
  return { show, end: show, leave: () => {} };
}
