/**
 * `cox hook`: what the Claude Code plugin calls. A hook must never break a session: whatever is wrong with what it was
 * given, with the folder or with us, it says nothing and exits 0. It waits for nobody and takes no lock.
 *
 * It is called at every end of a turn, in every folder: where there is nothing to say, next to nothing is loaded.
 */
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { runsRoot } from "../runtime/runs-root.ts";
import { Tree } from "../world/tree.ts";
import type { HookMeans } from "./answer-hook.ts";
import type { Door } from "./door.ts";
import { type ExitCode, exit } from "./exit.ts";

export async function hook(door: Door, means: HookMeans): Promise<ExitCode> {
  try {
    const event = await readEvent(door.stdin);
    const folder = [means.project, event.cwd].find((one) => typeof one === "string" && isAbsolute(one));
    const root = runsRoot(door.files, typeof folder === "string" ? folder : undefined);
    const tree = Tree.open(door.files, root);
    try {
      const isOurs = tree.stat(".coxswain/coordinator") ?? tree.stat(".coxswain/runs");
      if (!isOurs || means.isInsideTurn) return exit.done;
      const { answerHook } = await import("./answer-hook.ts");
      const answer = answerHook({ door, means, tree, root, event });
      if (answer !== undefined) door.terminal.print(answer);
    } finally {
      tree.close();
    }
  } catch {
    // Nobody could do anything about it in the middle of a session; the tools and `cox doctor` tell what is wrong.
  }
  return exit.done;
}

const eventBytesMax = 1024 * 1024;
/** Claude Code closes it at once; somebody who tries it out may not. */
const patienceMs = 1_000;

async function readEvent(
  stdin: Readable & { readonly isTTY?: boolean },
): Promise<Readonly<Record<string, unknown>>> {
  if (stdin.isTTY) return {};
  const chunks: Uint8Array[] = [];
  let length = 0;
  const timer = setTimeout(() => stdin.destroy(), patienceMs);
  try {
    for await (const chunk of stdin) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > eventBytesMax) break;
    }
  } finally {
    clearTimeout(timer);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : {};
}
