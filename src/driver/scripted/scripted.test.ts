import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeUtf8 } from "../../std/utf8.ts";
import { nodePlainFiles } from "../../world/files/node-plain-files.ts";
import type { Processes, Program } from "../../world/processes/processes.ts";
import { driverContract } from "../driver.contract.ts";
import type { Driver, SignOfLife, TurnRequest } from "../driver.ts";
import { scripted } from "./scripted.ts";

driverContract("scripted", () => {
  const folder = mkdtempSync(join(tmpdir(), "cox-scripted-"));
  let scripts = 0;
  return {
    driver: scripted(worldWith({})),
    folder,
    agent(deeds) {
      scripts += 1;
      const script = join(folder, `script-${scripts}.json`);
      writeFileSync(script, JSON.stringify({ default: { default: [deeds] } }));
      return { driver: "scripted", script };
    },
    end: () => rmSync(folder, { recursive: true }),
  };
});

describe("a scripted agent", () => {
  let folder: string;
  let driver: Driver;
  let timers: { ms: number; call: () => void; isTakenBack: boolean }[];
  let programs: Program[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cox-scripted-"));
    mkdirSync(join(folder, "desk"));
    timers = [];
    programs = [];
    driver = scripted(
      worldWith({
        after(ms, call) {
          const timer = { ms, call, isTakenBack: false };
          timers.push(timer);
          return () => {
            timer.isTakenBack = true;
          };
        },
        processes: processesThat(programs, { kind: "exited", code: 1 }),
      }),
    );
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function start(script: string, change: Partial<TurnRequest> = {}) {
    const path = join(folder, "crew.yaml");
    writeFileSync(path, script);
    const signs: SignOfLife[] = [];
    const settings = { driver: "scripted", script: path };
    const desk = join(folder, "desk");
    const turn = { ...anyTurn, desk, settings, ...change };
    return { handle: driver.start(turn, { onSign: (sign) => signs.push(sign) }), signs };
  }

  async function replyTo(script: string, change: Partial<TurnRequest> = {}): Promise<string> {
    const { ended, reply } = await start(script, change).handle.outcome;
    return ended.kind === "failed" ? `${ended.code} ${ended.message}` : decodeUtf8(reply).trimEnd();
  }

  const crew = `
tasks:
  users:
    developer:
      - - say: users, first
      - - say: users, second
    auditor:
      attempts:
        2: [{ say: audit of 2 }]
        4: [{ say: audit of 4 }]
        11:
          - [{ say: audit of 11 }]
          - [{ say: audit of 11 again }]
    default: [[{ say: "users, anyone" }]]
default:
  auditor: [[{ say: any audit of $COX_TASK }]]
  default: [[{ say: anything by $COX_ROLE }]]
`;

  test("plays the calls in order, and repeats the last one", async () => {
    const said = [await replyTo(crew), await replyTo(crew), await replyTo(crew)];
    expect(said).toEqual(["users, first", "users, second", "users, second"]);
    expect(await replyTo(crew, { run: "r2" })).toBe("users, first");
  });

  test.for([
    [{ role: "auditor", attempt: 1 }, "any audit of users"],
    [{ role: "auditor", attempt: 2 }, "audit of 2"],
    [{ role: "auditor", attempt: 3 }, "audit of 2"],
    [{ role: "auditor", attempt: 9 }, "audit of 4"],
    [{ role: "auditor", attempt: 11, turn: "users.11.a1" }, "audit of 11"],
    [{ role: "auditor", attempt: 11, turn: "users.11.a2" }, "audit of 11 again"],
    [{ role: "auditor", attempt: 12, turn: "users.12.3" }, "audit of 11 again"],
    [{ role: "expert" }, "users, anyone"],
    [{ task: "other", role: "auditor" }, "any audit of other"],
    [{ task: "other" }, "anything by developer"],
    [{ task: "constructor", role: "toString" }, "anything by toString"],
  ] as const)("asked with %o answers with %s", async ([change, expected]) => {
    expect(await replyTo(crew, change)).toBe(expected);
  });

  test("fails as an agent's program would, and says when a limit is lifted and whose conversation it was", async () => {
    const play = (step: string) => start(`default: { default: [[{ session: s1 }, ${step}, { say: no }]] }`);
    const limited = await play("{ fail: { code: AGENT_RATE_LIMIT, resetsInMs: 300 } }").handle.outcome;
    expect(limited).toMatchObject({
      session: "s1",
      ended: { kind: "failed", code: "AGENT_RATE_LIMIT", resetsAt: 5_300 },
    });
    const refused = await play("{ fail: { code: AGENT_REFUSED, message: not I } }").handle.outcome;
    expect(refused.ended).toEqual({ kind: "failed", code: "AGENT_REFUSED", message: "not I" });
    expect(await replyTo("default: { default: [[{ fail: { code: AGENT_TIRED } }]] }")).toMatch(/^SCRIPT_BAD/);
  });

  test("replies with a json block with the tag of the turn, with its values filled in at any depth", async () => {
    const script = 'default: { default: [[{ reply: { notes: [{ context: "$COX_TASK, $COX_OTHER" }] } }]] }';
    const said = await replyTo(script);
    expect(said).toMatch(/^```json cox-5ac1\n.*\n```$/s);
    expect(JSON.parse(said.split("\n").slice(1, -1).join("\n"))).toEqual({
      notes: [{ context: "users, $COX_OTHER" }],
    });
  });

  test("writes, links and deletes real files, outside the desk too", async () => {
    writeFileSync(join(folder, "outside"), "mine");
    mkdirSync(join(folder, "desk/old"));
    writeFileSync(join(folder, "desk/old/a"), "");
    const steps = [
      { write: { path: "../outside", content: "theirs" } },
      { write: { path: "bin/tool", content: "#!/bin/sh\n", executable: true } },
      { link: { path: "way-out", target: "/etc" } },
      { delete: "old" },
    ];
    expect(await replyTo(scriptOf(steps))).toBe("");
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("theirs");
    expect(statSync(join(folder, "desk/bin/tool")).mode & 0o100).toBe(0o100);
    expect(readlinkSync(join(folder, "desk/way-out"))).toBe("/etc");
    expect(existsSync(join(folder, "desk/old"))).toBe(false);
  });

  test.for([".", "..", "/", "a/..", "../desk"])("cannot delete %s, which holds the desk", async (path) => {
    expect(await replyTo(scriptOf([{ delete: path }]))).toMatch(/^SCRIPT_BAD .*holds the desk itself/);
    expect(existsSync(join(folder, "desk"))).toBe(true);
  });

  test("ends at a write that fails, as a careless program would", async () => {
    const steps = [{ write: { path: "a", content: "" } }, { write: { path: "a/b", content: "" } }];
    expect(await replyTo(scriptOf(steps))).toMatch(
      /^AGENT_EXIT .*exit code 1; its last line was: "E[A-Z]+: a\/b"$/,
    );
  });

  test("sleeps by the given timer, and a cancelled sleep removes its timer", async () => {
    const steps = [{ sleep: 60_000 }, { say: "awake" }, { sleep: 1 }, { say: "never" }];
    const { handle } = start(scriptOf(steps));
    await Promise.resolve();
    expect(timers).toMatchObject([{ ms: 60_000 }]);
    timers[0]?.call();
    while (timers.length < 2) await Promise.resolve();
    handle.cancel();
    expect(await handle.outcome).toMatchObject({ ended: { kind: "cancelled" }, lastLine: "awake" });
    expect(timers[1]?.isTakenBack).toBe(true);
  });

  test("reports actions, checkpoints and usage", async () => {
    const steps = [
      { action: "editing src/a.ts" },
      { checkpoint: "users" },
      { usage: { inputTokens: 10 } },
      { usage: { inputTokens: 30, usdMicros: 5 } },
    ];
    const { handle, signs } = start(scriptOf(steps));
    expect(signs).toEqual([]);
    const outcome = await handle.outcome;
    expect(signs).toEqual([
      { kind: "action", words: "editing src/a.ts" },
      { kind: "output", bytes: 18 },
      { kind: "line", text: "Checkpoint: users" },
      { kind: "action", words: "Checkpoint: users" },
      { kind: "usage", usage: { inputTokens: 10 } },
      { kind: "usage", usage: { inputTokens: 30, usdMicros: 5 } },
    ]);
    expect(outcome.usage).toEqual({ inputTokens: 30, usdMicros: 5 });
  });

  test("does not report the lines of a reply's block as actions", async () => {
    const { handle, signs } = start(
      scriptOf([{ say: "writing" }, { reply: { verdict: "PASS" } }, { say: "end" }]),
    );
    await handle.outcome;
    const actions = signs.flatMap((sign) => (sign.kind === "action" ? [sign.words] : []));
    expect(actions).toEqual(["writing", "end"]);
  });

  test("continues after a program that fails", async () => {
    const { handle, signs } = start(scriptOf([{ run: ["git", "stash", "drop"] }, { say: "done" }]));
    expect(await handle.outcome).toMatchObject({ ended: { kind: "replied" } });
    expect(programs).toMatchObject([{ argv: ["git", "stash", "drop"], environment: { MARK: "users" } }]);
    expect(signs).toContainEqual({ kind: "line", text: "git: ended with exit code 1" });
  });

  test.for([
    ["crash", 9, "AGENT_EXIT"],
    ["exit", 1, "AGENT_EXIT"],
    ["crash", "SIGSEGV", "AGENT_SIGNAL"],
  ] as const)("ends at %s: %s with %s and does nothing after", async ([kind, value, code]) => {
    expect(await replyTo(scriptOf([{ [kind]: value }, { say: "never" }]))).toMatch(new RegExp(`^${code} `));
  });

  test("that finds no play fails with SCRIPT_BAD, with what is missing and where", async () => {
    const answers = [
      await replyTo("tasks: { other: { developer: [[]] } }"),
      await replyTo("default: { default: [[{ shout: hi }]] }"),
      await replyTo("", { settings: { driver: "scripted" } }),
      await replyTo("", { settings: { driver: "scripted", script: join(folder, "none.yaml") } }),
    ];
    expect(answers.map((text) => text.replaceAll(folder, ""))).toEqual([
      'SCRIPT_BAD agent ada cannot play: "/crew.yaml" has no steps for task "users", role "developer", attempt 1: add one below `tasks:` or `default:`',
      expect.stringMatching(
        /^SCRIPT_BAD agent ada cannot play: "\/crew.yaml", line 1, default.default\[0\]\[0\]: "shout" is unknown/,
      ),
      "SCRIPT_BAD agent ada cannot play: it has no script: write `script: crew.yaml` beside `driver: scripted`",
      'SCRIPT_BAD agent ada cannot play: its script "/none.yaml" cannot be read (ENOENT)',
    ]);
  });
});

function scriptOf(steps: readonly unknown[]): string {
  return JSON.stringify({ default: { default: [steps] } });
}

function worldWith(change: Partial<Parameters<typeof scripted>[0]>): Parameters<typeof scripted>[0] {
  return {
    files: nodePlainFiles,
    processes: processesThat([], { kind: "exited", code: 0 }),
    after(ms, call) {
      const timer = setTimeout(call, ms);
      return () => clearTimeout(timer);
    },
    now: () => 5_000,
    graceMs: 300,
    environmentOf: ({ task }) => ({ MARK: task }),
    ...change,
  };
}

/** Processes that end at once, always the same way. */
function processesThat(started: Program[], how: { kind: "exited"; code: number }): Processes {
  const nothing = new Uint8Array();
  const ended = { how, stdout: nothing, stderr: nothing, stdoutBytes: 0, stderrBytes: 0, escaped: [] };
  return {
    start(program) {
      started.push(program);
      return { ended: Promise.resolve({ ...ended, durationMs: 0, isConfined: false }), cancel() {} };
    },
    endMarked: async () => [],
    isAlive: () => false,
  };
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
  scratch: "",
  readOnly: [],
};
