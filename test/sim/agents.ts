/**
 * The simulated agents: processes on the machine, each with a process id and a desk. They outlive the coordinator that
 * started them, until they end by themselves or somebody ends them.
 */
import type {
  Driver,
  TurnHandle,
  TurnObserver,
  TurnOutcome,
  TurnRequest,
  Usage,
} from "../../src/driver/driver.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/std/utf8.ts";
import { textFile } from "../doubles/memory-repository.ts";
import {
  auditorPerformance,
  developerPerformance,
  type Performance,
  type Situation,
  type Step,
} from "./performance.ts";
import { world as everybody, type Owner } from "./scheduler.ts";
import type { World } from "./world.ts";

export interface Agent {
  readonly pid: number;
  readonly request: TurnRequest;
  readonly owner: Owner;
  readonly desk: { readonly run: string; readonly name: string };
  isCancelled: boolean;
}

export class Agents {
  readonly live = new Map<number, Agent>();
  /** Conversations that their programs have lost for good. */
  readonly lostSessions = new Set<string>();
  #pids = 100;

  constructor(private readonly world: World) {}

  /** The driver that the process `owner` uses. */
  driver(owner: Owner, worksAtDesk: boolean): Driver {
    return {
      name: worksAtDesk ? "desk" : "operations",
      modes: [worksAtDesk ? "desk" : "proposal"],
      canResume: worksAtDesk,
      start: (request, observer) => this.#start({ owner, request, observer, worksAtDesk }),
    };
  }

  /** Called by the process that takes over a run. */
  endAll(): number[] {
    const ended = [...this.live.keys()];
    for (const pid of ended) this.#kill(pid);
    if (ended.length > 0) this.world.coverage.deed("orphan ended");
    return ended;
  }

  /** Their coordinator is gone: some agents end with it, others keep running. */
  orphan(owner: Owner): void {
    for (const { pid, owner: of } of [...this.live.values()])
      if (of === owner && this.world.random.chance(0.5)) this.#kill(pid);
  }

  #kill(pid: number): void {
    this.world.scheduler.forget(everybody, `agent ${pid}`);
    this.live.delete(pid);
  }

  #start({ owner, request, observer, worksAtDesk }: AgentStart): TurnHandle {
    const { world } = this;
    // A writer that lost its lock notices at its next write. Until then it may still start agents, which it ends at
    // once. That is more than a removed lock can promise, so it is not simulated.
    if (world.writer !== owner) return { outcome: new Promise(() => {}), cancel() {} };
    world.witness.starts(request);
    const pid = ++this.#pids;
    const agent: Agent = { pid, request, owner, desk: deskOf(request.desk), isCancelled: false };
    this.live.set(pid, agent);
    world.witness.lives();
    let resolve: (outcome: TurnOutcome) => void = () => {};
    const outcome = new Promise<TurnOutcome>((told) => {
      resolve = told;
    });
    const end = (one: TurnOutcome) => {
      this.live.delete(pid);
      world.scheduler.later(owner, `${request.turn} has ended`, () => resolve(one));
    };
    const actor = new Actor({ world, agent, observer, worksAtDesk, end });
    actor.begin();
    return { identity: { pid, started: `boot ${pid}` }, outcome, cancel: () => actor.cancel() };
  }
}

interface AgentStart {
  readonly owner: Owner;
  readonly request: TurnRequest;
  readonly observer: TurnObserver | undefined;
  readonly worksAtDesk: boolean;
}

interface AgentActions {
  readonly world: World;
  readonly agent: Agent;
  readonly observer: TurnObserver | undefined;
  readonly worksAtDesk: boolean;
  readonly end: (outcome: TurnOutcome) => void;
}

/** One turn, played step by step. */
class Actor {
  readonly #usage: Usage;
  #takeBack: () => void = () => {};

  constructor(private readonly acting: AgentActions) {
    const { random } = acting.world;
    const inputTokens = 20 + random.below(200);
    const usdMicros = random.below(2_000);
    // Some agents report no cost.
    this.#usage = inputTokens % 7 === 0 ? { inputTokens } : { inputTokens, usdMicros };
  }

  begin(): void {
    this.#next(() => {
      const { end, steps } = this.#hasLostItsSession() ? sessionLost : this.#performance();
      this.#play(steps, () => this.#end(end));
    });
  }

  cancel(): void {
    const { agent, world, end } = this.acting;
    if (agent.isCancelled || !world.agents.live.has(agent.pid)) return;
    agent.isCancelled = true;
    world.witness.isEnded(agent.pid, agent.request.turn);
    this.#takeBack();
    world.scheduler.forget(everybody, `agent ${agent.pid}`);
    this.#next(() => end({ ...nothingSaid, ended: { kind: "cancelled" }, usage: this.#usage }));
  }

  /** Checked before the agent does anything. In fair weather no conversation is newly lost, but a lost one stays lost. */
  #hasLostItsSession(): boolean {
    const { world, agent } = this.acting;
    const { resume } = agent.request;
    if (resume === undefined) return false;
    const { lostSessions } = world.agents;
    if (!world.weather.isFair && world.random.chance(0.15)) lostSessions.add(resume);
    if (lostSessions.has(resume)) world.coverage.deed("conversation lost");
    return lostSessions.has(resume);
  }

  #performance(): Performance {
    const { world, agent, worksAtDesk } = this.acting;
    const { request, desk } = agent;
    const facts = world.plan.tasks.find(({ task }) => task === request.task);
    if (!facts) throw new Error(`no task ${request.task}`);
    const base = world.witness.baseOf(desk.name);
    const situation: Situation = {
      random: world.random,
      isFair: world.weather.isFair,
      facts,
      turn: request.turn,
      fence: request.fence,
      worksAtDesk,
      desk: textsOf(world.repository.filesAt(desk)),
      base: base === undefined ? new Map() : textsOf(world.repository.filesOf(base)),
    };
    return request.role === "developer" ? developerPerformance(situation) : auditorPerformance(situation);
  }

  #play(steps: readonly Step[], then: () => void): void {
    const [step, ...rest] = steps;
    this.#next(() => {
      if (!step) then();
      else {
        this.#perform(step);
        this.#play(rest, then);
      }
    });
  }

  #perform(step: Step): void {
    const { world, agent } = this.acting;
    if (step.kind === "write") {
      const files = world.repository.filesAt(agent.desk);
      if (step.text === undefined) files.delete(step.path);
      else files.set(step.path, textFile(step.text));
    }
    if (step.kind === "stray" && !world.isConfined) {
      const { turn } = agent.request;
      if (step.where === "settings") world.repository.settings.set("/memory/git/config", turn);
      else world.repository.checkout.set("stray.txt", textFile(turn));
      world.witness.strays(turn, step.where);
    }
    if (step.kind === "line") this.#sign({ kind: "line", text: step.text });
    if (step.kind === "usage") this.#sign({ kind: "usage", usage: this.#usage });
  }

  #sign(sign: Parameters<NonNullable<TurnObserver["onSign"]>>[0]): void {
    const { world, agent, observer } = this.acting;
    if (world.writer === agent.owner) observer?.onSign?.(sign);
  }

  #end(end: Performance["end"]): void {
    const session = this.#session();
    const outcome = {
      ...nothingSaid,
      usage: this.#usage,
      lastLine: "the last line",
      ...(session === undefined ? {} : { session }),
    };
    switch (end.kind) {
      case "hang":
        return;
      case "chatter":
        if (!this.acting.world.agents.live.has(this.acting.agent.pid)) return;
        this.#sign({ kind: "action", words: "still at it" });
        this.#takeBack = this.acting.world.wall.after(chatterMs, () => this.#end(end));
        return;
      case "fail": {
        const { code, resetsInMs } = end;
        const resets =
          resetsInMs === undefined ? {} : { resetsAt: this.acting.world.wall.now() + resetsInMs };
        this.acting.end({ ...outcome, ended: { kind: "failed", code, message: "it says so", ...resets } });
        return;
      }
      case "crash":
        this.acting.end({
          ...outcome,
          ended: { kind: "failed", code: "AGENT_EXIT", message: "exit code 1" },
        });
        return;
      case "reply": {
        this.acting.world.ledger.leaves(this.acting.agent.request.turn, end.left ?? []);
        const misconduct = end.isMisconduct ? [{ code: "AGENT_ESCAPED", message: "it left a child" }] : [];
        this.acting.end({
          ...outcome,
          ended: { kind: "replied" },
          reply: encodeUtf8(end.text),
          ...(end.ranUnconfined && { ranUnconfined: true }),
          misconduct,
        });
      }
    }
  }

  /**
   * The agent's own name for the conversation, which contains its owner. Some programs report none, some a new one each
   * time.
   */
  #session(): string | undefined {
    const { worksAtDesk, agent, world } = this.acting;
    const { task, role, agent: name, resume, turn } = agent.request;
    if (!worksAtDesk || world.random.chance(0.2)) return undefined;
    return resume !== undefined && world.random.chance(0.5) ? resume : `${task} ${role} ${name} ${turn}`;
  }

  #next(go: () => void): void {
    const { world, agent } = this.acting;
    world.scheduler.later(everybody, `agent ${agent.pid}`, go);
  }
}

const sessionLost: Performance = { steps: [], end: { kind: "fail", code: "AGENT_SESSION_LOST" } };

/** Often enough to seem alive. */
const chatterMs = 25_000;

const nothingSaid = { reply: new Uint8Array(), lastLine: "", misconduct: [] };

export function deskOf(folder: string): { run: string; name: string } {
  const [run = "", name = ""] = folder.replace("/memory/desks/", "").split("/");
  return { run, name };
}

function textsOf(files: ReadonlyMap<string, { bytes: Uint8Array }>): Map<string, string> {
  return new Map([...files].map(([path, { bytes }]) => [path, decodeUtf8(bytes)]));
}
