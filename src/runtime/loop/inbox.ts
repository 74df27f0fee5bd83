/**
 * Requests from other processes to the one that writes the run: one file each, created atomically. An admitted request
 * appears in the log with its id; a refused one is answered in a file beside it. A request that is sent twice counts
 * once.
 */
import type { ExternalCommand, Refusal } from "../../kernel/command.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import type { RunFolder } from "../folder/run-folder.ts";

export interface Request {
  readonly id: string;
  readonly command: ExternalCommand;
}

const requestEnd = ".json";
const refusalEnd = ".refused";

export class Inbox {
  constructor(private readonly folder: RunFolder) {}

  async leave({ id, command }: Request): Promise<void> {
    await this.folder.keep(`inbox/${id}${requestEnd}`, encodeUtf8(JSON.stringify(command)));
  }

  /** The waiting requests, sorted by name. A file that cannot be read as a request is removed. */
  waiting(): Request[] {
    const names = this.folder.names("inbox").filter((name) => name.endsWith(requestEnd));
    return names.flatMap((name) => {
      const bytes = this.folder.read(`inbox/${name}`);
      const command = bytes && commandIn(decodeUtf8(bytes));
      if (command) return [{ id: name.slice(0, -requestEnd.length), command }];
      this.folder.remove(`inbox/${name}`);
      return [];
    });
  }

  /** Call it when the request has been handled durably. A refusal stays until the requester reads it. */
  async settle(id: string, refusal?: Refusal): Promise<void> {
    if (refusal) await this.folder.keep(`inbox/${id}${refusalEnd}`, encodeUtf8(JSON.stringify(refusal)));
    this.folder.remove(`inbox/${id}${requestEnd}`);
  }

  isWaiting(id: string): boolean {
    return this.folder.read(`inbox/${id}${requestEnd}`) !== undefined;
  }

  /** The answer to a refused request; it can be read once. */
  takeRefusal(id: string): Refusal | undefined {
    const bytes = this.folder.read(`inbox/${id}${refusalEnd}`);
    if (!bytes) return undefined;
    this.folder.remove(`inbox/${id}${refusalEnd}`);
    return JSON.parse(decodeUtf8(bytes)) as Refusal;
  }

  /** Takes back a request that has not been handled yet. */
  withdraw(id: string): void {
    this.folder.remove(`inbox/${id}${requestEnd}`);
  }
}

/** Only commands of a person are accepted here, and each says who sent it. */
const doors: ReadonlySet<string> = new Set([
  "pause",
  "resume",
  "stop",
  "answer",
  "confirm",
  "deny",
  "retry",
  "rollback",
  "log-rollback-refusal",
] satisfies ExternalCommand["command"][]);

function commandIn(text: string): ExternalCommand | undefined {
  try {
    const command = JSON.parse(text) as Partial<ExternalCommand> | null;
    return command && doors.has(command.command ?? "") && "by" in command
      ? (command as ExternalCommand)
      : undefined;
  } catch {
    return undefined;
  }
}
