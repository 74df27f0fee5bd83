/**
 * Output: results go to stdout and notices to stderr, each coloured only if somebody sees it.
 *
 * Under `--json` notices are dropped, because people merge the two streams. A reader that has closed the pipe (`cox
 * stats | head -1`) is not a failure: further output is dropped, and the work in progress is still finished.
 */
import { styleText } from "node:util";
import { noPaint, type Paint } from "../../view/text/paint.ts";

export interface Terminal {
  print(text: string): void;
  notice(text: string): void;
  /** Colours for `print`. */
  readonly paint: Paint;
  /** Colours for `notice`. */
  readonly noticePaint: Paint;
  /** Somebody is watching stderr live, so a line may redraw itself. */
  readonly isWatched: boolean;
  readonly json: boolean;
  /** Whether the reader of stdout has closed it. */
  isUnread(): boolean;
  /** The size of stderr, where notices go; a typical size if it is unknown. */
  size(): { readonly columns: number; readonly rows: number };
  /** The terminal can show only ASCII. */
  readonly ascii: boolean;
}

/** Waits until everything written has left the process, or its reader is gone. */
export async function written({ stdout, stderr }: Pick<Streams, "stdout" | "stderr">): Promise<void> {
  const left = [stdout, stderr].filter(({ writableLength, destroyed }) => writableLength > 0 && !destroyed);
  await Promise.all(left.map((stream) => new Promise((resolve) => stream.write("", resolve))));
  // A failed write is reported as an event of the stream, one turn of the event loop later.
  await new Promise((resolve) => setImmediate(resolve));
}

export interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function openTerminal(streams: Streams, options: { json: boolean; noColor: boolean }): Terminal {
  const { stdout, stderr, env } = streams;
  const { json, noColor } = options;
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
