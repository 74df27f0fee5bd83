/** Plays attempts as an agent plays its turn: through a driver of the program, at a desk, confined as in a run. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { guardedPlaces } from "../../src/config/trust/guarded-places.ts";
import { makeDrivers } from "../../src/driver/drivers.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { nodePlainFiles } from "../../src/world/files/node-plain-files.ts";
import { processesWithLayers } from "../../src/world/processes/node-processes.ts";
import { type Sandbox, systemProgram } from "../../src/world/sandbox/sandbox.ts";
import { nodeRunClock } from "../../src/world/time/node-run-clock.ts";
import { type AgentProgram, type Attempt, markOf } from "./attempt.ts";
import { playCarelessly } from "./careless.ts";
import { hasWorked, processesOf } from "./evidence.ts";
import { makeScene, type Scene } from "./scene.ts";

export type Result = "held" | "worked" | "held, control worked" | { readonly notTried: string };
/** Keyed by the attempt's name. */
export type Results = Readonly<Record<string, Result>>;

export interface PlayOptions {
  /** `undefined`: as if this machine had none. */
  readonly sandbox: Sandbox | undefined;
  /** An empty folder. */
  readonly root: string;
}

export async function play(attempts: readonly Attempt[], options: PlayOptions): Promise<Results> {
  const { sandbox, root } = options;
  const reasons = new Map(attempts.map((attempt) => [attempt, whyNotTried(attempt, sandbox)]));
  const possible = attempts.filter((attempt) => reasons.get(attempt) === undefined);
  const turns = turnsOf(possible);
  const scene = await makeScene(root);
  try {
    const replies = new Map<Attempt, string>();
    for (const turn of turns) {
      const reply = await playTurn(turn, scene, sandbox);
      for (const attempt of turn.attempts) replies.set(attempt, reply);
    }
    await scene.capture();
    const resultOf = async (attempt: Attempt): Promise<Result> => {
      const notTried = reasons.get(attempt);
      if (notTried !== undefined) return { notTried };
      if (hasWorked(attempt, { scene, reply: replies.get(attempt) ?? "" })) return "worked";
      if (sandbox || !attempt.control) return "held";
      const reply = await playCarelessly(scriptOf([attempt], scene), attempt.control, scene);
      return hasWorked(attempt, { scene, reply }) ? "held, control worked" : "held";
    };
    const results: Record<string, Result> = {};
    for (const attempt of attempts) results[attempt.name] = await resultOf(attempt);
    return results;
  } finally {
    scene.close();
    for (const pid of possible.flatMap((attempt) => processesOf(markOf(attempt))))
      process.kill(pid, "SIGKILL");
  }
}

function whyNotTried(
  { needs = [], withoutSandbox }: Attempt,
  sandbox: Sandbox | undefined,
): string | undefined {
  const missing = needs.find((one) => !(one.startsWith("/") ? existsSync(one) : systemProgram(one)));
  if (missing !== undefined) return `there is no ${missing} here`;
  return sandbox ? undefined : withoutSandbox?.notTried;
}

interface Turn {
  readonly agent: AgentProgram | "command";
  readonly isHomeBare: boolean;
  readonly attempts: readonly Attempt[];
}

/** One turn for each program and home. Attempts that move things come last in their turn, and their turn comes last. */
function turnsOf(attempts: readonly Attempt[]): readonly Turn[] {
  const turns = new Map<string, Turn & { attempts: Attempt[] }>();
  for (const attempt of attempts) {
    const { agent = "command", isHomeBare = false } = attempt;
    const name = `${agent} ${isHomeBare}`;
    const turn = turns.get(name) ?? { agent, isHomeBare, attempts: [] };
    turns.set(name, turn);
    turn.attempts.push(attempt);
  }
  const lastOnes = ({ isLast }: Attempt) => (isLast ? 1 : 0);
  const all = [...turns.values()];
  for (const turn of all) turn.attempts.sort((one, other) => lastOnes(one) - lastOnes(other));
  const movesThings = (turn: Turn) => (turn.attempts.some(({ isLast }) => isLast) ? 1 : 0);
  return all.sort((one, other) => movesThings(one) - movesThings(other));
}

/** The agent is a shell and its prompt the script: one attempt after the other, each in its own subshell. */
async function playTurn(turn: Turn, scene: Scene, sandbox: Sandbox | undefined): Promise<string> {
  const { repository, desk, scratch, cache, state } = scene;
  const { agent, isHomeBare, attempts } = turn;
  const environment = isHomeBare ? { ...scene.environment, HOME: scene.bareHome } : scene.environment;
  const drivers = makeDrivers({
    processes: processesWithLayers(join(cache, "layers"), () => sandbox),
    files: nodePlainFiles,
    deskFiles: openFiles(),
    fetch,
    clock: nodeRunClock(),
    environment,
  });
  const driver = drivers.find(agent);
  if (!driver) throw new Error(`there is a driver ${agent}`);
  const { outcome } = driver.start({
    ...{ turn: "own.1", run: desk.run, task: desk.name, attempt: 1, agent: "escaper", role: "developer" },
    ...{ fence: "tag", prompt: scriptOf(attempts, scene), mode: "desk", desk: desk.folder, scratch },
    readOnly: [repository.root, ...repository.guarded, ...guardedPlaces(environment, { state, cache })],
    writable: [join(environment.HOME ?? "", "opened")],
    settings: { driver: agent, command: agent === "command" ? ["sh"] : standIn(agent) },
  });
  const { ended, reply, ranUnconfined = false } = await outcome;
  const said = decodeUtf8(reply);
  if (ended.kind !== "replied" || !said.includes(theEnd) || ranUnconfined !== (sandbox === undefined))
    throw new Error(`the turn of ${agent} was not played: ${JSON.stringify({ ended, ranUnconfined, said })}`);
  return said;
}

/** Runs the script from its stdin, and ends with the same output as the real program. */
function standIn(agent: AgentProgram): [string, ...string[]] {
  const lines = endings[agent].map((event) => JSON.stringify(event));
  return ["sh", "-c", `sh > /dev/null && cat << 'THE_END'\n${lines.join("\n")}\nTHE_END\n`];
}

const theEnd = "everything was tried";

const endings: Readonly<Record<AgentProgram, readonly object[]>> = {
  "claude-code": [{ type: "result", subtype: "success", is_error: false, result: theEnd }],
  codex: [
    { type: "item.completed", item: { type: "agent_message", text: theEnd } },
    { type: "turn.completed", usage: {} },
  ],
  gemini: [
    { type: "message", role: "assistant", content: theEnd },
    { type: "result", status: "success" },
  ],
  opencode: [
    { type: "text", part: { text: theEnd } },
    { type: "step_finish", part: { reason: "stop" } },
  ],
};

function scriptOf(attempts: readonly Attempt[], { variables }: Scene): string {
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  const tries = attempts.map(
    (attempt) => `(\nexport MARK='${markOf(attempt)}'\n${attempt.script}\n) 2> /dev/null < /dev/null\n`,
  );
  return [...exported, "export PARENT=$PPID\n", ...tries, `echo '${theEnd}'\n`].join("");
}
