/** Reads a command's input as bytes from a file or stdin, up to the largest size a reply may have. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { replyBytesMax } from "../../reply/find/decode.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";

/** One byte more than a reply may have: enough to see that it is too long. */
const bytesMax = replyBytesMax + 1;

export type Input = { readonly bytes: Uint8Array } | { readonly problem: Problem };

/** Describes the input in error messages. */
export interface InputAbout {
  readonly what: "reply" | "plan" | "script" | "token" | "content" | "note";
  readonly hint: string;
}

/** `name` is a path, or `-` for stdin. A path may be a pipe too: `cox apply <(my-model)`. */
export async function readInput(
  name: string,
  stdin: Readable,
  signal: AbortSignal,
  about: InputAbout,
): Promise<Input> {
  const stream = name === "-" ? stdin : createReadStream(name);
  try {
    return { bytes: await readUpTo(bytesMax, stream, signal) };
  } catch (error) {
    const problem = error instanceof Error && "code" in error && unreadable(name, String(error.code), about);
    if (!problem) throw error;
    return { problem };
  }
}

async function readUpTo(limit: number, stream: Readable, signal: AbortSignal): Promise<Uint8Array> {
  const stop = () => stream.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks, Math.min(length, limit));
}

/** A problem that the user can fix by typing another name. Any other error is a failure of the system. */
function unreadable(name: string, code: string, { what, hint }: InputAbout): Problem | undefined {
  const why = {
    ENOENT: "does not exist",
    EISDIR: "is a folder",
    EACCES: "is not readable for you",
    ENOTDIR: "does not exist",
  }[code];
  if (!why) return undefined;
  return {
    code: code === "ENOENT" || code === "ENOTDIR" ? "INPUT_MISSING" : "INPUT_UNREADABLE",
    path: name,
    message: `the ${what} cannot be read: ${oneLine(name)} ${why} (${code})`,
    hint,
  };
}
