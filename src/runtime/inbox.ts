/**
 * Requests of other processes to the one that writes the run: a file each, put there in one step. What was admitted stands in
 * the log with the request's id; what was refused is answered beside it. A request that is handed in twice counts once.
 */
import type { Door, Refusal } from "../kernel/command.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import type { RunFolder } from "./run-folder.ts";

export interface Request {
  readonly id: string;
  readonly command: Door;
}

const requestEnd = ".json";
const refusalEnd = ".refused";

export class Inbox {
  constructor(private readonly folder: RunFolder) {}

  async leave({ id, command }: Request): Promise<void> {
    await this.folder.keep(`inbox/${id}${requestEnd}`, encodeUtf8(JSON.stringify(command)));
  }

  /** What lies there, in the order of its names. What cannot be read is no request. */
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

  /** The request is dealt with, durably; a refusal waits for whoever asked. */
  async settle(id: string, refusal?: Refusal): Promise<void> {
    if (refusal) await this.folder.keep(`inbox/${id}${refusalEnd}`, encodeUtf8(JSON.stringify(refusal)));
    this.folder.remove(`inbox/${id}${requestEnd}`);
  }

  isWaiting(id: string): boolean {
    return this.folder.read(`inbox/${id}${requestEnd}`) !== undefined;
  }

  /** The answer to a request that was refused; it is read once. */
  takeRefusal(id: string): Refusal | undefined {
    const bytes = this.folder.read(`inbox/${id}${refusalEnd}`);
    if (!bytes) return undefined;
    this.folder.remove(`inbox/${id}${refusalEnd}`);
    return JSON.parse(decodeUtf8(bytes)) as Refusal;
  }

  /** Takes back what nobody has looked at. */
  withdraw(id: string): void {
    this.folder.remove(`inbox/${id}${requestEnd}`);
  }
}

/** Only a person's commands come this way, and each carries who sent it. */
const doors: ReadonlySet<string> = new Set([
  "pause",
  "resume",
  "stop",
  "answer",
  "confirm",
  "deny",
  "retry",
  "rollback",
] satisfies Door["command"][]);

function commandIn(text: string): Door | undefined {
  try {
    const command = JSON.parse(text) as Partial<Door> | null;
    return command && doors.has(command.command ?? "") && "by" in command ? (command as Door) : undefined;
  } catch {
    return undefined;
  }
}
