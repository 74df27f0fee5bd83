/**
 * One turn of Codex over its app server, for a developer that only proposes: its model's edits arrive one by one and are
 * declined, the turn goes on, and what they come to is told as operations.
 *
 * The event that ends its turn decides: what its process does afterwards counts no more, but it is waited for.
 */
import { present } from "../std/present.ts";
import { oneLine, quote } from "../std/printable.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { Files } from "../world/files.ts";
import type { Ended, Processes, ProcessIdentity } from "../world/processes.ts";
import type { RunClock } from "../world/run-clock.ts";
import type { ClientEvent } from "./agent-client.ts";
import { appServerAnswer, editQuestion, refusedWords } from "./app-server-answers.ts";
import { type AppServerTalk, converse } from "./app-server-conversation.ts";
import { AppServerEvents, turnTrouble } from "./app-server-events.ts";
import { outputCaps } from "./caps.ts";
import { clientFailure, lastWords, sessionLost } from "./client-failure.ts";
import { codex, serverSettings } from "./codex.ts";
import { isUnheld } from "./command.ts";
import { confinementOf } from "./confinement.ts";
import { deskFile } from "./desk-file.ts";
import type { TurnHandle, TurnOutcome, TurnRequest, TurnWatching } from "./driver.ts";
import { recordField, textField } from "./event-fields.ts";
import { escapes, failure } from "./failure.ts";
import { withModel } from "./model-usage.ts";
import { RpcTalk } from "./rpc-talk.ts";
import { sessionParts } from "./session.ts";
import { TalkedProgram } from "./talked-program.ts";
import { TriedEdits } from "./tried-edits.ts";
import { troubleFailure } from "./trouble.ts";

export interface AppServerWorld {
  readonly processes: Processes;
  readonly now: RunClock["now"];
  readonly after: RunClock["after"];
  /** Through which the desk is seen. */
  readonly deskFiles: Files;
  /** Between being asked to end and being killed: for it to end what it started itself. */
  readonly graceMs: number;
  /** For each step before the turn. */
  readonly handshakeMs: number;
  /** What an agent gets of ours, with these variables of its own. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export interface AppServerParts {
  readonly world: AppServerWorld;
  readonly turn: TurnRequest;
  readonly watching: TurnWatching | undefined;
}

export class AppServerTurn implements TurnHandle {
  readonly identity?: ProcessIdentity;
  readonly outcome: Promise<TurnOutcome>;
  readonly #parts: AppServerParts;
  readonly #program: TalkedProgram;
  readonly #talk: RpcTalk;
  readonly #edits: TriedEdits;
  /** Edits under way, by their item: what is asked about them names only that. */
  readonly #changes = new Map<string, readonly unknown[]>();
  #events: AppServerEvents | undefined;
  #thread: string | undefined;
  #wasCancelled = false;
  #takeBack = () => {};

  constructor(parts: AppServerParts) {
    const { world, turn, watching } = parts;
    this.#parts = parts;
    this.#edits = new TriedEdits({
      folder: turn.desk,
      read: (path) => deskFile(world.deskFiles, { desk: turn.desk, path }),
    });
    this.#talk = new RpcTalk({
      write: (bytes) => this.#program.write(bytes),
      onTold: (method, params) => this.#hear(method, params),
      onAsked: (method, params) => this.#answer(method, params),
      after: (ms, call) => world.after(ms, call),
      answerMs: world.handshakeMs,
    });
    this.#program = new TalkedProgram({
      processes: world.processes,
      program: this.#start(),
      watching,
      onMessage: (message) => this.#talk.receive(message),
      onEnd: () => this.#talk.close(),
    });
    const { identity } = this.#program.running;
    if (identity) this.identity = identity;
    this.outcome = this.#run();
  }

  /** First in the protocol's words; a program that does not answer to them is ended as any. */
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
    return {
      argv: [program, ...before, "app-server", ...server, ...args] as const,
      folder: turn.desk,
      environment: world.environmentOf(turn, codex.variables),
      ...outputCaps,
      graceMs: world.graceMs,
      confinement: confinementOf(turn),
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
    return converse({
      talk: this.#talk,
      turn,
      onThread: (thread) => {
        const { counters } = sessionParts(turn.resume ?? "");
        this.#thread = thread;
        this.#events = new AppServerEvents({ desk: turn.desk, thread, counters });
        this.#program.tale.take({ heard: "session", id: thread });
        this.#program.tale.take({ heard: "counters", counters });
      },
      onTurn: (begun) => this.#events?.begin(begun),
    });
  }

  #hear(method: string, params: ClientEvent): void {
    if (method === "item/started") this.#remember(recordField(params.item));
    if (method === "item/fileChange/patchUpdated") this.#remember({ ...params, id: params.itemId });
    for (const heard of this.#events?.hear(method, params) ?? []) this.#program.tale.take(heard);
  }

  #remember({ id, changes }: ClientEvent): void {
    if (typeof id === "string" && Array.isArray(changes)) this.#changes.set(id, changes);
  }

  #answer(method: string, params: ClientEvent): object | undefined {
    const words = method === editQuestion ? this.#note(params) : refusedWords(method, params);
    if (words !== undefined) this.#program.tale.take({ heard: "action", words });
    return appServerAnswer(method);
  }

  /** In its helpers' threads it edits as well. */
  #note({ itemId }: ClientEvent): string {
    const tried = this.#edits.take(this.#changes.get(textField(itemId) ?? "") ?? []);
    for (const one of tried) this.#parts.watching?.onTried?.(one);
    const paths = tried.map(({ path }) => path);
    return oneLine(
      paths.length === 0 ? "was refused: an edit of nothing" : `proposing ${paths.join(", ")}`,
      120,
    );
  }

  #outcomeOf(talk: AppServerTalk, ended: Ended): TurnOutcome {
    const { turn } = this.#parts;
    const { tale, lastLine } = this.#program;
    const ending = this.#endingOf(talk, ended);
    const reply = ending.kind === "replied" ? tale.lastMessage : tale.messages;
    const model = turn.settings.model ?? `the default model of ${codex.title}`;
    const usage = tale.usage && withModel(tale.usage, model);
    return {
      ended: ending,
      reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
      lastLine,
      ...present({ usage, session: tale.session }),
      ...(isUnheld(ended) && { isUnheld: true }),
      misconduct: escapes(turn.agent, ended.escaped),
    };
  }

  #endingOf(talk: AppServerTalk, ended: Ended): TurnOutcome["ended"] {
    const { world, turn } = this.#parts;
    const { agent, resume } = turn;
    const program = turn.settings.command?.[0] ?? codex.program;
    const now = world.now();
    const trouble = talk.talk === "ended" ? turnTrouble(talk.turn) : undefined;
    if (talk.talk === "ended" && trouble === undefined) return { kind: "replied" };
    if (this.#wasCancelled) return { kind: "cancelled" };
    if (talk.talk === "foreign") return noAppServer(agent, talk.said);
    const told = talk.talk === "trouble" ? talk.trouble : trouble;
    if (resume !== undefined && told !== undefined && codex.sessionLost.test(told.message))
      return sessionLost(codex, agent);
    const { resetsAt } = this.#program.tale;
    if (told !== undefined) return troubleFailure({ agent, client: codex, resetsAt, trouble: told, now });
    const said = lastWords(ended.stderr);
    if (this.#thread === undefined && ended.how.kind === "exited" && tookForPrompt.test(said))
      return noAppServer(agent, said);
    const lastLine = this.#program.lastComplaint;
    return clientFailure({ client: codex, agent, program, ended, lastLine, resetsAt, now });
  }
}

/** All that were tried answer in a third of it. */
const cancelMs = 1_000;

/** It ends by itself when its stdin does: in less than a fifth of a second where it was tried. */
const lingersMs = 2_000;

/** What versions say that know no such command. */
const tookForPrompt = /not a terminal|unrecognized subcommand/i;

function noAppServer(agent: string, said: string) {
  const why = `its version has no app server that we can talk to: ${quote(said, 200)}`;
  const advice = `Bring it up to date (${codex.install}), or write works: desk into the agent's entry.`;
  return failure(
    "AGENT_NOT_INSTALLED",
    `agent ${oneLine(agent)} (${codex.title}) cannot propose edits, ${why}. ${advice}`,
  );
}
