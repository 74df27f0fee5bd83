/**
 * What a turn server knows about its turn. It gets this through environment variables, because the agent's own program
 * starts it.
 */
import { dirname, join } from "node:path";
import type { TurnServer } from "../../driver/driver.ts";
import type { WorkMode } from "../../driver/work-modes.ts";
import type { Problem } from "../../std/problem.ts";
import { handedInName } from "../folder/scratch.ts";
import type { ScratchFile } from "../folder/scratch-file.ts";
import type { ReplyRules } from "./consider-reply.ts";

export interface ServedTurn {
  readonly turn: string;
  readonly task: string;
  readonly role: string;
  readonly mode: WorkMode;
  readonly desk: string;
  readonly rules: ReplyRules;
  /** The file that stores what is handed in. */
  readonly replyFile: ScratchFile;
}

/** Short, because it is prefixed to the name of each tool. */
const serverName = "turn";

export function serverOfTurn(
  command: TurnServer["command"],
  served: Omit<ServedTurn, "replyFile"> & { readonly scratch: string },
): TurnServer {
  const { turn, task, role, mode, desk, rules, scratch } = served;
  const environment = {
    COX_TURN: turn,
    COX_TASK: task,
    COX_ROLE: role,
    COX_WAY: mode,
    COX_DESK: desk,
    COX_RULES: JSON.stringify(rules),
    COX_REPLY_FILE: join(scratch, handedInName),
  };
  return { name: serverName, command, environment };
}

export function servedTurn(
  environment: Readonly<Record<string, string | undefined>>,
): ServedTurn | { readonly problem: Problem } {
  const { COX_TURN, COX_TASK, COX_ROLE, COX_WAY, COX_DESK, COX_RULES, COX_REPLY_FILE } = environment;
  const rules = rulesIn(COX_RULES);
  if (!COX_TURN || !COX_TASK || !COX_ROLE || !COX_DESK || !rules || !COX_REPLY_FILE)
    return { problem: outside };
  return {
    turn: COX_TURN,
    task: COX_TASK,
    role: COX_ROLE,
    mode: COX_WAY === "desk" ? "desk" : "proposal",
    desk: COX_DESK,
    rules,
    replyFile: {
      folder: dirname(COX_REPLY_FILE),
      name: COX_REPLY_FILE.slice(dirname(COX_REPLY_FILE).length + 1),
    },
  };
}

/** We set this variable ourselves, but somebody else may have changed it. */
function rulesIn(text: string | undefined): ReplyRules | undefined {
  try {
    const rules = JSON.parse(text ?? "") as ReplyRules | null;
    return rules && Array.isArray(rules.writes) ? rules : undefined;
  } catch {
    return undefined;
  }
}

const outside: Problem = {
  code: "TURN_OUTSIDE",
  message: "this is not a turn: an agent's program starts this server inside a turn of a run",
  hint: "For a server of your own, type: cox mcp. To see what agents get, look into turns/ of a run.",
};
