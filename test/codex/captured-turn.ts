/**
 * A turn of Codex's app server as it was captured: each line is a message, `->` of ours and `<-` of the program's. What it
 * said is said again, as far as it had been asked by then.
 */
import { readFileSync } from "node:fs";
import type { SignOfLife, Tried, TurnRequest } from "../../src/driver/driver.ts";
import { codexDriver } from "../../src/driver/programs/codex-driver.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/std/utf8.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { nodePlainFiles } from "../../src/world/files/node-plain-files.ts";
import type { ProcessEnd, Processes } from "../../src/world/processes/processes.ts";

type Message = Readonly<Record<string, unknown>>;
type Line = { readonly "->": Message } | { readonly "<-": Message };

interface CapturedTurnOptions {
  /** When we have said this. */
  readonly cancelsAt?: string;
}

export async function capturedTurn(
  what: string,
  change: Partial<TurnRequest> = {},
  { cancelsAt }: CapturedTurnOptions = {},
) {
  const file = new URL(`../clients/captured/codex-app-server/${what}.jsonl`, import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const player = new Player(lines.map((line) => JSON.parse(line) as Line));
  const tried: Tried[] = [];
  const signs: SignOfLife[] = [];
  const driver = codexDriver({
    now: () => Date.parse("2026-11-16T14:00:00Z"),
    processes: player.processes,
    files: nodePlainFiles,
    deskFiles: openFiles(),
    graceMs: 1,
    handshakeMs: 1,
    after: () => () => {},
    environmentOf: () => ({}),
  });
  const turn = { ...anyTurn, settings: { driver: "codex" }, ...change };
  const handle = driver.start(turn, {
    onTried: (one) => tried.push(one),
    onSign: (sign) => signs.push(sign),
  });
  const isThere = () => player.said.some(({ method }) => method === cancelsAt);
  while (cancelsAt !== undefined && !isThere()) await new Promise((later) => setImmediate(later));
  // A while later, for what it was answered to arrive.
  if (cancelsAt !== undefined) setImmediate(() => handle.cancel());
  return { ...(await handle.outcome), tried, signs, said: player.said };
}

class Player {
  /** What we said. */
  readonly said: Message[] = [];
  readonly processes: Processes;
  #left: readonly Line[];

  constructor(lines: readonly Line[]) {
    this.#left = lines;
    const start: Processes["start"] = ({ onOutput }) => {
      let end = (_: ProcessEnd) => {};
      const ended = new Promise<ProcessEnd>((resolve) => {
        end = resolve;
      });
      const over = () => end(exited);
      const stdin = {
        write: (bytes: Uint8Array) => {
          const message = JSON.parse(decodeUtf8(bytes)) as Message;
          this.said.push(message);
          // As a program does, it answers later.
          queueMicrotask(() => this.#play(message, (text) => onOutput?.("stdout", encodeUtf8(text))));
        },
        end: over,
      };
      return { ended, stdin, cancel: over };
    };
    this.processes = { start, endMarked: async () => [], isAlive: () => false };
  }

  /** Up to the next message of ours; what was captured before it was not asked for. */
  #play(message: Message, print: (text: string) => void): void {
    const at = this.#left.findIndex((line) => "->" in line && isLike(line["->"], message));
    if (at === -1) return;
    const behind = this.#left.slice(at + 1);
    const until = behind.findIndex((line) => "->" in line);
    const told = behind.slice(0, until === -1 ? behind.length : until);
    this.#left = behind.slice(told.length);
    for (const line of told) if ("<-" in line) print(`${JSON.stringify(line["<-"])}\n`);
  }
}

/** A request of the same kind, or an answer to the same question. */
function isLike(captured: Message, { method, id }: Message): boolean {
  return method === undefined
    ? captured.method === undefined && captured.id === id
    : captured.method === method;
}

const exited: ProcessEnd = {
  how: { kind: "exited", code: 0 },
  ...{ stdout: new Uint8Array(), stderr: new Uint8Array(), stdoutBytes: 0, stderrBytes: 0 },
  ...{ escaped: [], durationMs: 0, isConfined: true },
};

const anyTurn = {
  ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
  mode: "proposal" as const,
  ...{ fence: "cox-5ac1", prompt: "Do it.", readOnly: ["/repository"] },
  desk: "/desk",
  scratch: "/scratch",
};
