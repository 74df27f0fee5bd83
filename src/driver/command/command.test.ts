import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeUtf8 } from "../../std/utf8.ts";
import { nodeProcesses } from "../../world/processes/node-processes.ts";
import type { Processes, Program } from "../../world/processes/processes.ts";
import type { AgentSettings } from "../agent-settings.ts";
import { driverContract } from "../driver.contract.ts";
import type { SignOfLife, TurnRequest } from "../driver.ts";
import { turnPlaceholders } from "../output/turn-words.ts";
import { command } from "./command.ts";

/** Performs steps as a program of its own; it never reads its stdin. */
const player = `
  import { mkdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
  import { dirname } from "node:path";
  const filled = (text) => text.replace(/\\$(COX_[A-Z]+)/g, (_, name) => process.env[name]);
  const print = (text) => { for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(1, bytes)); };
  for (const deed of JSON.parse(readFileSync(process.argv[2], "utf8"))) {
    if (deed.say !== undefined) print(filled(deed.say).replace(/\\n?$/, "\\n"));
    if (deed.write) {
      mkdirSync(dirname(deed.write.path), { recursive: true });
      writeFileSync(deed.write.path, filled(deed.write.content));
    }
    if (deed.flood) for (let left = deed.flood; left > 0; left -= 65536) print("~".repeat(1023).concat("\\n").repeat(64));
    if (deed.hang) await new Promise(() => setInterval(() => {}, 1000));
    if (deed.exit !== undefined) process.exit(deed.exit);
    if (deed.crash) process.kill(process.pid, deed.crash);
    if (deed.crash) await new Promise(() => setInterval(() => {}, 1000));
  }
`;

driverContract("command", () => {
  const folder = mkdtempSync(join(tmpdir(), "cox-command-"));
  const program = join(folder, "player.mjs");
  writeFileSync(program, player);
  let agents = 0;
  return {
    driver: command({ processes: nodeProcesses, environmentOf, graceMs: 300 }),
    folder,
    agent(deeds) {
      agents += 1;
      const file = join(folder, `deeds-${agents}.json`);
      writeFileSync(file, JSON.stringify(deeds));
      return { driver: "command", command: [process.execPath, program, file] };
    },
    end: () => rmSync(folder, { recursive: true }),
  };
});

describe("the command driver", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cox-command-"));
    mkdirSync(join(folder, "desk"));
    mkdirSync(join(folder, "scratch"));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function start(
    argv: AgentSettings["command"],
    { processes = nodeProcesses, ...change }: StartOptions = {},
  ) {
    const signs: SignOfLife[] = [];
    const settings = { driver: "command", ...(argv && { command: argv }) };
    const places = { desk: join(folder, "desk"), scratch: join(folder, "scratch") };
    const driver = command({ processes, environmentOf, graceMs: 300 });
    const turn = { ...anyTurn, ...places, settings, ...change };
    return { handle: driver.start(turn, { onSign: (sign) => signs.push(sign) }), signs };
  }

  interface StartOptions extends Partial<TurnRequest> {
    readonly processes?: Processes;
  }

  const rows: Record<string, { sh: string; prompt?: string; expected: object; said?: string }> = {
    "PROC-04 a grandchild that holds stdout ends with its turn": {
      sh: "sleep 300 & echo $! > pid; echo done",
      expected: { ended: { kind: "replied" }, misconduct: [] },
      said: "done\n",
    },
    "PROC-05 a descendant in a session of its own is ended, and told": {
      sh: "setsid sh -c 'echo $$ > pid; exec sleep 300' & while [ ! -s pid ]; do sleep 0.01; done; echo done",
      expected: { ended: { kind: "replied" }, misconduct: [{ code: "AGENT_ESCAPED" }] },
      said: "done\n",
    },
    "PROC-06 a program that closes its stdin may still reply": {
      sh: "exec 0<&-; echo fine",
      prompt: "long ".repeat(1_000_000),
      expected: { ended: { kind: "replied" } },
      said: "fine\n",
    },
    "PROC-08 a program that exits 1 has failed, and stderr says why": {
      sh: "echo '{\"file_operations\": []}'; echo 'no key' >&2; exit 1",
      expected: {
        ended: {
          kind: "failed",
          code: "AGENT_EXIT",
          message: 'agent ada ended with exit code 1; its last line was: "no key"',
        },
      },
      said: '{"file_operations": []}\n',
    },
    "PROC-11 a prompt that looks like an option comes on stdin": {
      sh: 'echo "$#:"; cat',
      prompt: "--dangerously-skip-permissions",
      expected: { ended: { kind: "replied" } },
      said: "0:\n--dangerously-skip-permissions",
    },
    "a long prompt comes whole, and then the end": {
      sh: "wc -c",
      prompt: "ä".repeat(1_500_000),
      expected: { ended: { kind: "replied" } },
      said: "3000000\n",
    },
    "what it reports of its usage is counted, and is no part of its reply": {
      sh: `echo 'COX USAGE: {"usd":0.25}'; echo fine; echo 'COX USAGE: {"usd":0.5}'; echo 'COX USAGE: {"usd":-1}'`,
      expected: {
        ended: { kind: "replied" },
        usage: { usdMicros: 750_000, isPartial: true },
        misconduct: [{ code: "AGENT_USAGE_UNREAD" }],
        lastLine: "fine",
      },
      said: "fine\n",
    },
    "a program that fails has used what it reported": {
      sh: `echo 'COX USAGE: {"usd":0.25}'; exit 3`,
      expected: { ended: { code: "AGENT_EXIT" }, usage: { usdMicros: 250_000 }, misconduct: [] },
    },
    "a program that fails without a word is told so": {
      sh: "exit 7",
      expected: { ended: { message: "agent ada ended with exit code 7 without a word" } },
    },
    "a last line without a line break is heard all the same": {
      sh: "echo begun; printf Compiling >&2",
      expected: { ended: { kind: "replied" }, lastLine: "Compiling" },
      said: "begun\n",
    },
    "bytes that are no UTF-8 are kept in the reply": {
      sh: "printf '\\377\\n'",
      expected: { ended: { kind: "replied" }, reply: new Uint8Array([0xff, 0x0a]) },
    },
  };

  for (const [title, { sh, prompt = "", expected, said }] of Object.entries(rows)) {
    test(title, async () => {
      // Unconfined: a process namespace would end with the program, and nothing could escape from it.
      const { handle } = start(["sh", "-c", sh], { prompt, processes: unconfined });
      const outcome = await handle.outcome;
      expect(outcome).toMatchObject(expected);
      // We cannot know what an arbitrary program uses as tools.
      expect(outcome).not.toHaveProperty("toolUses");
      if (said !== undefined) expect(decodeUtf8(outcome.reply)).toBe(said);
      if (sh.includes("> pid")) expect(isGone(pidIn(folder))).toBe(true);
    });
  }

  test("PROC-05 the report of a program that escaped names the process", async () => {
    const sh = rows["PROC-05 a descendant in a session of its own is ended, and told"]?.sh ?? "";
    const { misconduct } = await start(["sh", "-c", sh], { processes: unconfined }).handle.outcome;
    expect(misconduct[0]?.message).toBe(
      `agent ada left 1 descendant running outside its process group (pid ${pidIn(folder)}); what could be ended was ended`,
    );
  });

  test("PROC-02 a program that ignores being asked to end is killed, with its children", async () => {
    const sh =
      "trap '' TERM; sh -c 'echo $$ > pid; exec sleep 300' & while [ ! -s pid ]; do sleep 0.01; done; echo up; wait; sleep 300";
    const { handle, signs } = start(["sh", "-c", sh], { processes: unconfined });
    while (!signs.some(({ kind }) => kind === "line")) await new Promise((later) => setTimeout(later, 5));
    handle.cancel();
    expect(await handle.outcome).toMatchObject({ ended: { kind: "cancelled" }, lastLine: "up" });
    expect(handle.identity && nodeProcesses.isAlive(handle.identity)).toBe(false);
    expect(isGone(pidIn(folder))).toBe(true);
  });

  test("PROC-10 a program that cannot be started is reported with what to do", async () => {
    writeFileSync(join(folder, "plain"), "#!/bin/sh\n", { mode: 0o644 });
    const answers = [
      await failureOf(["no-such-agent"]),
      await failureOf([join(folder, "gone")]),
      await failureOf([join(folder, "plain")]),
      await failureOf([folder]),
      await failureOf(["sh"], { desk: join(folder, "no-desk") }),
      await failureOf(undefined),
      await failureOf(["sh", "-c", "agent {prompt}"]),
    ];
    expect(answers.map((text) => text.replaceAll(folder, ""))).toEqual([
      "AGENT_SPAWN agent ada cannot be started: no-such-agent cannot be run: it is in no folder of PATH. Install it, or write its whole path into the agent's command.",
      "AGENT_SPAWN agent ada cannot be started: /gone cannot be run: there is no such file. Install it, or write its whole path into the agent's command.",
      "AGENT_SPAWN agent ada cannot be started: /plain cannot be run: it is not executable for this user. Make it executable (chmod +x), or name its interpreter first in the agent's command.",
      "AGENT_SPAWN agent ada cannot be started:  cannot be run: it is a folder. Name the program inside it in the agent's command.",
      "AGENT_SPAWN agent ada cannot be started: the working folder /no-desk cannot be used (ENOENT). It was created for this turn, and something has removed it.",
      'AGENT_SPAWN agent ada cannot be started: it has no command. Write the program and its arguments as a list: command: ["node", "tools/agent.mjs"].',
      'AGENT_SPAWN agent ada cannot be started: its command has a placeholder for the prompt ("agent {prompt}"), and nothing is filled in. Take it out: the prompt comes on stdin.',
    ]);
  });

  async function failureOf(argv: AgentSettings["command"], change: StartOptions = {}): Promise<string> {
    const { ended } = await start(argv, change).handle.outcome;
    return ended.kind === "failed" ? `${ended.code} ${ended.message}` : ended.kind;
  }

  test("PROC-18 no file that we hold open is open in the program", async () => {
    const held = openSync(join(folder, "run.lock"), "w");
    const { handle } = start(["sh", "-c", "ls -l /proc/self/fd"], { processes: unconfined });
    const { reply } = await handle.outcome;
    closeSync(held);
    expect(decodeUtf8(reply)).toContain("/proc/");
    expect(decodeUtf8(reply)).not.toContain("run.lock");
  });

  test("the folders that a program may and may not write to are passed on", async () => {
    const programs: Program[] = [];
    const watched: Processes = {
      ...nodeProcesses,
      start(program) {
        programs.push(program);
        return nodeProcesses.start(program);
      },
    };
    await start(["true"], { readOnly: [folder], processes: watched }).handle.outcome;
    expect(programs[0]?.confinement).toEqual({
      readOnly: [folder],
      writable: [join(folder, "scratch"), join(folder, "desk")],
    });
  });

  test("lines of stderr are signs of life and no part of the reply", async () => {
    const { handle, signs } = start(["sh", "-c", "echo Checkpoint: users >&2; echo reply"]);
    const { reply, lastLine } = await handle.outcome;
    expect(decodeUtf8(reply)).toBe("reply\n");
    expect(signs).toContainEqual({ kind: "line", text: "Checkpoint: users" });
    expect(["reply", "Checkpoint: users"]).toContain(lastLine);
  });
});

const unconfined: Processes = {
  ...nodeProcesses,
  start({ confinement: _, ...program }) {
    return nodeProcesses.start(program);
  },
};

function environmentOf(turn: TurnRequest) {
  return { PATH: "/usr/bin:/bin", ...turnPlaceholders(turn) };
}

function pidIn(folder: string): number {
  return Number(readFileSync(join(folder, "desk/pid"), "utf8"));
}

/** Also true for a zombie, which only waits for its parent to collect it. */
function isGone(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return !existsSync(path) || /\) Z /.test(readFileSync(path, "utf8"));
}

const anyTurn = {
  turn: "t1",
  run: "r1",
  task: "users",
  attempt: 1,
  agent: "ada",
  role: "developer",
  mode: "desk" as const,
  fence: "cox-5ac1",
  prompt: "Please do it.",
  readOnly: [],
};
