/**
 * One turn of Codex over its app server, for a developer that only proposes. Its model's edits arrive one by one and
 * are declined, the turn continues, and their combined effect is reported as operations.
 *
 * The event that ends the turn decides. What the process does afterwards does not count, but we wait for it to end.
 */
import { present } from "../../std/present.ts";
import { oneLine, quote } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { Files } from "../../world/files/files.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";
import type { ProcessEnd, Processes, ProcessIdentity } from "../../world/processes/processes.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import { ranUnconfined } from "../command/command.ts";
import { confinementOf } from "../confinement.ts";
import type { TurnHandle, TurnObserver, TurnOutcome, TurnRequest } from "../driver.ts";
import { escapeFailure, failure } from "../failure.ts";
import { deskFile } from "../model/desk-file.ts";
import { withModel } from "../model/model-usage.ts";
import { outputCaps } from "../output/caps.ts";
import type { ClientEvent } from "../programs/agent-client.ts";
import { clientFailure, lastWords, sessionLost } from "../programs/client-failure.ts";
import { codex, serverSettings } from "../programs/codex.ts";
import { recordField, textField } from "../programs/event-fields.ts";
import { makeKeptFolders } from "../programs/program-home.ts";
import { RpcProgram } from "../rpc-program.ts";
import { RpcTalk } from "../rpc-talk.ts";
import { sessionParts } from "../session.ts";
import { troubleFailure } from "../trouble.ts";
import { appServerAnswer, editQuestion, refusedWords } from "./app-server-answers.ts";
import { type AppServerTalk, converseWithAppServer } from "./app-server-conversation.ts";
import { AppServerEvents, turnTrouble } from "./app-server-events.ts";
import { TriedEdits } from "./tried-edits.ts";

export interface AppServerWorld {
  readonly processes: Processes;
  readonly now: RunClock["now"];
  readonly after: RunClock["after"];
  readonly files: Pick<PlainFiles, "makeFolder">;
  /** Gives access to the files at the desk. */
  readonly deskFiles: Files;
  /** Time between SIGTERM and SIGKILL, so Codex can stop its own children. */
  readonly graceMs: number;
  /** The timeout of each step before the turn. */
  readonly handshakeMs: number;
  /** The environment that an agent gets from ours, including these variables of its own. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export interface AppServerParts {
  readonly world: AppServerWorld;
  readonly turn: TurnRequest;
  readonly observer: TurnObserver | undefined;
}

export class AppServerTurn implements TurnHandle {
  readonly identity?: ProcessIdentity;
  readonly outcome: Promise<TurnOutcome>;
  readonly #parts: AppServerParts;
  readonly #program: RpcProgram;
  readonly #talk: RpcTalk;
  readonly #edits: TriedEdits;
  /** Running edits by item id: a question about an edit names only its item. */
  readonly #changes = new Map<string, readonly unknown[]>();
  #events: AppServerEvents | undefined;
  #thread: string | undefined;
  #wasCancelled = false;
  #takeBack = () => {};

  constructor(parts: AppServerParts) {
    const { world, turn, observer } = parts;
    this.#parts = parts;
    this.#edits = new TriedEdits({
      folder: turn.desk,
      read: (path) => deskFile(world.deskFiles, { desk: turn.desk, path }),
    });
    this.#talk = new RpcTalk({
      write: (bytes) => this.#program.write(bytes),
      onNotification: (method, params) => this.#hear(method, params),
      onAsked: (method, params) => this.#answer(method, params),
      after: (ms, call) => world.after(ms, call),
      answerMs: world.handshakeMs,
    });
    this.#program = new RpcProgram({
      processes: world.processes,
      program: this.#start(),
      observer,
      onMessage: (message) => this.#talk.receive(message),
      onEnd: () => this.#talk.close(),
    });
    const { identity } = this.#program.running;
    if (identity) this.identity = identity;
    this.outcome = this.#run();
  }

  /** Cancels through the protocol first; a program that does not react is ended like any other. */
  cancel(): void {
    if (this.#wasCancelled) return;
    this.#wasCancelled = true;
    const { graceMs, after } = this.#parts.world;
    const turnId = this.#events?.turn;
    const { running } = this.#program;
    if (turnId === undefined) running.cancel();
    else {
      this.#talk.ask("turn/interrupt", { threadId: this.#thread, turnId }).catch(() => {});
      this.#takeBack = after(Math.min(graceMs, cancelMs), () => running.cancel());
    }
  }

  #start() {
    const { world, turn } = this.#parts;
    const { command, args = [] } = turn.settings;
    const [program = codex.program, ...before] = command ?? [];
    const server = turn.server === undefined ? [] : serverSettings(turn.server);
    const environment = world.environmentOf(turn, codex.variables);
    const home = codex.home(environment, turn.desk);
    makeKeptFolders(world.files, home);
    return {
      argv: [program, ...before, "app-server", ...server, ...args] as const,
      folder: turn.desk,
      environment,
      ...outputCaps,
      graceMs: world.graceMs,
      confinement: confinementOf(turn, home),
    };
  }

  async #run(): Promise<TurnOutcome> {
    const talk = await this.#converse();
    const { running } = this.#program;
    running.stdin?.end();
    this.#takeBack();
    if (talk.talk !== "ended" || this.#wasCancelled) running.cancel();
    else this.#takeBack = this.#parts.world.after(lingersMs, () => running.cancel());
    const ended = await this.#program.ended;
    this.#takeBack();
    this.#program.end();
    return this.#outcomeOf(talk, ended);
  }

  #converse(): Promise<AppServerTalk> {
    const { turn } = this.#parts;
    return converseWithAppServer({
      talk: this.#talk,
      turn,
      onThread: (thread) => {
        const { counters } = sessionParts(turn.resume ?? "");
        this.#thread = thread;
        this.#events = new AppServerEvents({ desk: turn.desk, thread, counters });
        this.#program.turnState.take({ kind: "session", id: thread });
        this.#program.turnState.take({ kind: "counters", counters });
      },
      onTurn: (begun) => this.#events?.begin(begun),
    });
  }

  #hear(method: string, params: ClientEvent): void {
    if (method === "item/started") this.#remember(recordField(params.item));
    if (method === "item/fileChange/patchUpdated") this.#remember({ ...params, id: params.itemId });
    for (const signal of this.#events?.signalsOf(method, params) ?? []) this.#program.turnState.take(signal);
  }

  #remember({ id, changes }: ClientEvent): void {
    if (typeof id === "string" && Array.isArray(changes)) this.#changes.set(id, changes);
  }

  #answer(method: string, params: ClientEvent): object | undefined {
    const words = method === editQuestion ? this.#note(params) : refusedWords(method, params);
    if (words !== undefined) this.#program.turnState.take({ kind: "action", words });
    return appServerAnswer(method);
  }

  /** Covers the threads of its subagents too, which also make edits. */
  #note({ itemId }: ClientEvent): string {
    const tried = this.#edits.take(this.#changes.get(textField(itemId) ?? "") ?? []);
    for (const one of tried) this.#parts.observer?.onTried?.(one);
    const paths = tried.map(({ path }) => path);
    return oneLine(
      paths.length === 0 ? "was refused: an edit of nothing" : `proposing ${paths.join(", ")}`,
      120,
    );
  }

  #outcomeOf(talk: AppServerTalk, ended: ProcessEnd): TurnOutcome {
    const { turn } = this.#parts;
    const { turnState, lastLine } = this.#program;
    const ending = this.#endingOf(talk, ended);
    const reply = ending.kind === "replied" ? turnState.lastMessage : turnState.messages;
    const model = turn.settings.model ?? `the default model of ${codex.title}`;
    const usage = turnState.usage && withModel(turnState.usage, model);
    return {
      ended: ending,
      reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
      lastLine,
      ...present({ usage, session: turnState.session }),
      toolUses: turnState.toolUses,
      ...(ranUnconfined(ended) && { ranUnconfined: true }),
      misconduct: escapeFailure(turn.agent, ended.escaped),
    };
  }

  #endingOf(talk: AppServerTalk, ended: ProcessEnd): TurnOutcome["ended"] {
    const { world, turn } = this.#parts;
    const { agent, resume } = turn;
    const program = turn.settings.command?.[0] ?? codex.program;
    const now = world.now();
    const trouble = talk.talk === "ended" ? turnTrouble(talk.turn) : undefined;
    if (talk.talk === "ended" && trouble === undefined) return { kind: "replied" };
    if (this.#wasCancelled) return { kind: "cancelled" };
    if (talk.talk === "foreign") return noAppServer(agent, talk.said);
    const reported = talk.talk === "trouble" ? talk.trouble : trouble;
    if (resume !== undefined && reported !== undefined && codex.sessionLost.test(reported.message))
      return sessionLost(codex, agent);
    const { resetsAt } = this.#program.turnState;
    if (reported !== undefined)
      return troubleFailure({ agent, client: codex, resetsAt, trouble: reported, now });
    const said = lastWords(ended.stderr);
    if (this.#thread === undefined && ended.how.kind === "exited" && tookForPrompt.test(said))
      return noAppServer(agent, said);
    const lastLine = this.#program.lastComplaint;
    return clientFailure({ client: codex, agent, program, ended, lastLine, resetsAt, now });
  }
}

/** Every version we tried answers in a third of this. */
const cancelMs = 1_000;

/** It exits by itself when its stdin is closed: in less than a fifth of a second when we tried it. */
const lingersMs = 2_000;

/** What versions say that do not have this subcommand. */
const tookForPrompt = /not a terminal|unrecognized subcommand/i;

function noAppServer(agent: string, said: string) {
  const why = `its version has no app server that we can talk to: ${quote(said, 200)}`;
  const advice = `Update it (${codex.install}), or write works: desk into the agent's entry.`;
  return failure(
    "AGENT_NOT_INSTALLED",
    `agent ${oneLine(agent)} (${codex.title}) cannot propose edits, ${why}. ${advice}`,
  );
}
