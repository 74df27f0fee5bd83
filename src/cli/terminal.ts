/**
 * Where words go: results to stdout, notices to stderr, each coloured only where somebody sees it.
 *
 * Under `--json` notices are dropped, because people merge the two streams. A reader that has gone away
 * (`cox stats | head -1`) is no failure: what follows is dropped, and the work under way is still finished.
 */
import { styleText } from "node:util";
import { noPaint, type Paint } from "../view/paint.ts";

export interface Terminal {
  print(text: string): void;
  notice(text: string): void;
  /** For `print`. */
  readonly paint: Paint;
  /** For `notice`. */
  readonly noticePaint: Paint;
  /** Somebody watches stderr as it happens, so a line may replace itself. */
  readonly isWatched: boolean;
  readonly json: boolean;
  /** Whether whoever read what is printed has gone away. */
  isUnread(): boolean;
  /** Of stderr, where notices go; some usual size where nobody can tell. */
  size(): { readonly columns: number; readonly rows: number };
  /** The terminal shows nothing but ASCII. */
  readonly ascii: boolean;
}

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function openTerminal(streams: Streams, wishes: { json: boolean; noColor: boolean }): Terminal {
  const { stdout, stderr, env } = streams;
  const { json, noColor } = wishes;
  return {
    print: writer(stdout),
    notice: json ? () => {} : writer(stderr),
    paint: !noColor && isColoured(stdout, env) && !json ? coloured : noPaint,
    noticePaint: !noColor && isColoured(stderr, env) ? coloured : noPaint,
    isWatched: stderr.isTTY === true && env.TERM !== "dumb" && !json,
    json,
    isUnread: () => stdout.destroyed || stdout.errored !== null,
    size: () => ({ columns: stderr.columns ?? 100, rows: stderr.rows ?? 30 }),
    ascii: stderr.isTTY === true && env.TERM === "dumb",
  };
}

const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** The conventions of no-color.org and force-color.org: a variable that is set and not empty counts. */
export function isColoured(stream: { readonly isTTY?: boolean }, env: Streams["env"]): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}

function writer(stream: NodeJS.WriteStream): (text: string) => void {
  let isGone = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    isGone = true;
  });
  return (text) => {
    if (!isGone) stream.write(text);
  };
}
