/** A turn of a client whose program is played: what it would print is given, and with what it was started is told. */
import { readFileSync } from "node:fs";
import { agentEnvironment, type OurEnvironment } from "../../src/driver/agent-environment.ts";
import type { SignOfLife, TurnRequest } from "../../src/driver/driver.ts";
import type { AgentClient } from "../../src/driver/programs/agent-client.ts";
import { clientDriver } from "../../src/driver/programs/client-driver.ts";
import { concatBytes } from "../../src/std/bytes.ts";
import { encodeUtf8 } from "../../src/std/utf8.ts";
import { nodePlainFiles } from "../../src/world/files/node-plain-files.ts";
import type { ProcessEnd, Processes, Program } from "../../src/world/processes/processes.ts";

export interface Play {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly how?: ProcessEnd["how"];
  readonly ours?: OurEnvironment;
}

export async function playedTurn(client: AgentClient, change: Partial<TurnRequest>, play: Play = {}) {
  const { stdout = "", stderr = "", how = { kind: "exited", code: 0 }, ours = {} } = play;
  const programs: Program[] = [];
  const signs: SignOfLife[] = [];
  let cancels = 0;
  const processes: Pick<Processes, "start"> = {
    start(program) {
      programs.push(program);
      // In two pieces, as it may come.
      const bytes = encodeUtf8(stdout);
      const cut = Math.floor(bytes.length / 2);
      program.onOutput?.("stderr", encodeUtf8(stderr));
      program.onOutput?.("stdout", bytes.subarray(0, cut));
      program.onOutput?.("stdout", concatBytes([bytes.subarray(cut)]));
      const ended = { how, stdout: bytes, stderr: encodeUtf8(stderr), stdoutBytes: 0, stderrBytes: 0 };
      return {
        ended: Promise.resolve({ ...ended, escaped: [], durationMs: 0, isConfined: true }),
        cancel() {
          cancels += 1;
        },
      };
    },
  };
  const driver = clientDriver(client, {
    now: () => Date.now(),
    processes: processes as Processes,
    files: nodePlainFiles,
    graceMs: 1,
    environmentOf: (turn, variables) => agentEnvironment(turn, ours, variables),
  });
  const turn: TurnRequest = { ...anyTurn, settings: { driver: client.name }, ...change };
  const outcome = await driver.start(turn, { onSign: (sign) => signs.push(sign) }).outcome;
  const [program] = programs;
  if (program === undefined) throw new Error("nothing was started");
  return { turn, outcome, program, signs, cancels: () => cancels, scratch: turn.scratch };
}

/** What the real program printed; below `captured/`. */
export function captured(client: AgentClient, what: string): string {
  return readFileSync(new URL(`captured/${client.name}/${what}`, import.meta.url), "utf8");
}

const anyTurn = {
  ...{ turn: "t1", run: "r1", task: "users", attempt: 1, agent: "ada", role: "developer" },
  mode: "desk" as const,
  ...{ fence: "cox-5ac1", prompt: "Please do it.", readOnly: ["/repository"] },
  desk: "/desk",
  scratch: "/scratch",
};
