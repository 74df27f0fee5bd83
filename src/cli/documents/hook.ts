/**
 * `cox hook`: called by the Claude Code plugin. A hook must never break a session: whatever is wrong with its input,
 * with the folder or with us, it prints nothing and exits 0. It never waits and takes no lock.
 *
 * It is called at the end of every turn, in every folder, so it loads next to nothing when it has nothing to say.
 */
import { isAbsolute } from "node:path";
import type { Readable } from "node:stream";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { Tree } from "../../world/folders/tree.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { HookPorts } from "./answer-hook.ts";

export async function hook(door: CommandContext, ports: HookPorts): Promise<ExitCode> {
  try {
    const event = await readEvent(door.stdin);
    const folder = [ports.project, event.cwd].find((one) => typeof one === "string" && isAbsolute(one));
    const root = runsRoot(door.files, typeof folder === "string" ? folder : undefined);
    const tree = Tree.open(door.files, root);
    try {
      const isOurs = tree.stat(".coxswain/coordinator") ?? tree.stat(".coxswain/runs");
      if (!isOurs || ports.isInsideTurn) return exit.done;
      const { answerHook } = await import("./answer-hook.ts");
      const answer = answerHook({ door, ports, tree, root, event });
      if (answer !== undefined) door.terminal.print(answer);
    } finally {
      tree.close();
    }
  } catch {
    // Nobody could fix it in the middle of a session. The tools and `cox doctor` report what is wrong.
  }
  return exit.done;
}

const eventBytesMax = 1024 * 1024;
/** Claude Code closes stdin at once; a person trying the hook by hand may not. */
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
