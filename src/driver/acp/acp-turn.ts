/**
 * One turn of an agent over ACP: its process, the conversation with it, and the outcome of both.
 *
 * The agent's answer to the prompt ends the turn. What its process does afterwards does not count, but we wait for it
 * to end.
 */
import { present } from "../../std/present.ts";
import { oneLine } from "../../std/printable.ts";
import { encodeUtf8 } from "../../std/utf8.ts";
import type { PlainFiles } from "../../world/files/plain-files.ts";
import type {
  ProcessEnd,
  Processes,
  ProcessHandle,
  ProcessIdentity,
} from "../../world/processes/processes.ts";
import type { RunClock } from "../../world/time/run-clock.ts";
import { ranUnconfined } from "../command/command.ts";
import type { Argv } from "../command/command-problem.ts";
import { confinementOf, isReadOnlyTurn } from "../confinement.ts";
import type { TurnHandle, TurnObserver, TurnOutcome, TurnRequest } from "../driver.ts";
import { escapeFailure } from "../failure.ts";
import { withModel } from "../model/model-usage.ts";
import { outputCaps } from "../output/caps.ts";
import type { ClientEvent } from "../programs/agent-client.ts";
import { clientFailure } from "../programs/client-failure.ts";
import type { ClientTurnState } from "../programs/client-turn-state.ts";
import { recordField, textField } from "../programs/event-fields.ts";
import { makeKeptFolders } from "../programs/program-home.ts";
import { RpcProgram } from "../rpc-program.ts";
import { troubleFailure } from "../trouble.ts";
import { acpReply, acpTrouble, acpUsage } from "./acp-answer.ts";
import type { AnyMessage, Talk } from "./acp-conversation.ts";
import { acpPermission } from "./acp-permission.ts";
import { type AcpQuirks, quirksOf } from "./acp-quirks.ts";
import { AcpUpdates } from "./acp-updates.ts";
import { AcpWire } from "./acp-wire.ts";
import type { KeptTurn } from "./pi-session.ts";

export interface AcpWorld {
  readonly processes: Processes;
  readonly files: PlainFiles;
  readonly now: RunClock["now"];
  readonly after: RunClock["after"];
  /** Time between SIGTERM and SIGKILL, so the agent can stop its own children. */
  readonly graceMs: number;
  /** The timeout of each step before the prompt. */
  readonly handshakeMs: number;
  /** The environment that an agent gets from ours, including these variables of its own. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export interface AcpTurnParts {
  readonly world: AcpWorld;
  readonly turn: TurnRequest;
  readonly argv: Argv;
  readonly observer: TurnObserver | undefined;
}

export class AcpTurn implements TurnHandle {
  readonly identity?: ProcessIdentity;
  readonly outcome: Promise<TurnOutcome>;
  readonly #parts: AcpTurnParts;
  readonly #quirks: AcpQuirks;
  readonly #program: RpcProgram;
  readonly #updates: AcpUpdates;
  readonly #wire: AcpWire<AnyMessage>;
  #session: string | undefined;
  #kept: KeptTurn | undefined;
  #refused: string | undefined;
  #wasCancelled = false;
  /** Set while the prompt is being answered. */
  #askToCancel: (() => void) | undefined;
  #takeBack = () => {};

  constructor(parts: AcpTurnParts) {
    const { world, turn, observer } = parts;
    this.#parts = parts;
    this.#quirks = quirksOf(turn.settings);
    this.#updates = new AcpUpdates({ quirks: this.#quirks, desk: turn.desk });
    this.#wire = new AcpWire({
      write: (bytes) => this.#program.write(bytes),
      onUpdate: (session, update) => this.#hear(session, update),
    });
    this.#program = new RpcProgram({
      processes: world.processes,
      program: this.#toStart(),
      observer,
      onMessage: (message) => this.#wire.receive(message),
      onEnd: () => this.#wire.close(),
    });
    if (this.#running.identity) this.identity = this.#running.identity;
    this.outcome = this.#run();
  }

  /** Cancels through the protocol first; an agent that does not react is ended like any program. */
  cancel(): void {
    if (this.#wasCancelled) return;
    this.#wasCancelled = true;
    const { graceMs, after } = this.#parts.world;
    const isAsked = this.#askToCancel !== undefined;
    this.#askToCancel?.();
    if (!isAsked) this.#running.cancel();
    else this.#takeBack = after(Math.min(graceMs, cancelMs), () => this.#running.cancel());
  }

  get #running(): ProcessHandle {
    return this.#program.running;
  }

  get #turnState(): ClientTurnState {
    return this.#program.turnState;
  }

  #toStart() {
    const { world, turn, argv } = this.#parts;
    const { variables } = this.#quirks;
    const { defaults, environment } = this.#manner;
    const given = world.environmentOf(turn, variables);
    const home = this.#quirks.home?.(given, turn.desk);
    if (home) makeKeptFolders(world.files, home);
    return {
      argv: [...argv, ...(turn.settings.args ?? [])] as const,
      folder: turn.desk,
      environment: { ...defaults, ...given, ...environment },
      ...outputCaps,
      graceMs: world.graceMs,
      confinement: confinementOf(turn, home),
    };
  }

  get #manner() {
    return isReadOnlyTurn(this.#parts.turn) ? this.#quirks.readOnly : this.#quirks.developer;
  }

  async #run(): Promise<TurnOutcome> {
    const talk = await this.#converse();
    this.#askToCancel = undefined;
    this.#running.stdin?.end();
    const patienceMs = talk.talk === "answered" && !this.#wasCancelled ? this.#quirks.lingersMs : 0;
    this.#takeBack();
    if (patienceMs === 0) this.#running.cancel();
    else this.#takeBack = this.#parts.world.after(patienceMs, () => this.#running.cancel());
    const end = await this.#program.ended;
    this.#takeBack();
    this.#program.end();
    return this.#outcomeOf(talk, end);
  }

  async #converse(): Promise<Talk> {
    const { world, turn } = this.#parts;
    // The protocol's package is slow to load, and few runs need it.
    const { converseOverAcp: converse } = await import("./acp-conversation.ts");
    return converse({
      stream: this.#wire,
      turn,
      manner: this.#manner,
      handshakeMs: world.handshakeMs,
      after: (ms, call) => world.after(ms, call),
      onPrompt: (session, cancel) => {
        this.#session = session;
        this.#askToCancel = cancel;
        this.#turnState.take({ kind: "session", id: session });
      },
      onPermission: (request) => this.#permit(request),
    });
  }

  /**
   * Ignores other sessions, which belong to its subagents, and anything before the prompt, which is from another turn.
   */
  #hear(session: unknown, update: ClientEvent): void {
    if (session !== this.#session) return;
    for (const signal of this.#updates.signalsOf(update)) this.#turnState.take(signal);
  }

  #permit(request: ClientEvent): object {
    const { turn } = this.#parts;
    const asked = recordField(request.toolCall);
    for (const signal of this.#updates.callSignals(asked)) this.#turnState.take(signal);
    const call = this.#updates.callOf(asked.toolCallId);
    const { isAllowed, outcome } = acpPermission({
      request,
      call,
      isReadOnly: isReadOnlyTurn(turn),
      server: turn.server,
    });
    if (!isAllowed) {
      this.#refused = oneLine(textField(call.title) ?? "a tool", 120);
      this.#turnState.take({ kind: "action", words: `was refused: ${this.#refused}` });
    }
    return { outcome };
  }

  #outcomeOf(talk: Talk, ended: ProcessEnd): TurnOutcome {
    const { turn } = this.#parts;
    if (talk.talk === "answered") this.#kept = this.#keptTurn();
    const counted = this.#usageOf(talk);
    const model = turn.settings.model ?? `the default model of ${this.#quirks.title}`;
    const usage = counted && withModel(counted, model);
    if (usage !== undefined) this.#turnState.take({ kind: "usage", usage, of: "turn" });
    const ending = this.#endingOf(talk, ended);
    const { said, messages } = this.#turnState;
    const reply = ending.kind === "replied" ? acpReply(said, turn.fence) : messages;
    return {
      ended: ending,
      reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
      lastLine: this.#program.lastLine,
      ...present({ usage, session: this.#session }),
      toolUses: this.#turnState.toolUses,
      ...(ranUnconfined(ended) && { ranUnconfined: true }),
      misconduct: escapeFailure(turn.agent, ended.escaped),
    };
  }

  #keptTurn(): KeptTurn | undefined {
    const { files } = this.#parts.world;
    const { environment } = this.#toStart();
    const session = this.#session;
    return session === undefined ? undefined : this.#quirks.kept?.({ files, environment, session });
  }

  #usageOf(talk: Talk) {
    const counted = talk.talk === "answered" ? (acpUsage(talk.answer) ?? this.#kept?.usage) : undefined;
    const { usdMicros } = this.#updates;
    // The cost of a resumed conversation includes all its turns.
    return usdMicros === 0 || this.#parts.turn.resume !== undefined ? counted : { ...counted, usdMicros };
  }

  #endingOf(talk: Talk, ended: ProcessEnd): TurnOutcome["ended"] {
    const { agent } = this.#parts.turn;
    const [program] = this.#parts.argv;
    const client = { ...this.#quirks, program };
    const trouble = this.#troubleOf(talk);
    if (trouble === "none") return { kind: "replied" };
    if (this.#wasCancelled) return { kind: "cancelled" };
    const now = this.#parts.world.now();
    if (trouble !== undefined) return troubleFailure({ agent, client, trouble, now });
    const lastLine = this.#program.lastComplaint;
    return clientFailure({ client, agent, program, ended, lastLine, now });
  }

  /** `undefined` when the protocol says nothing about it. */
  #troubleOf(talk: Talk) {
    if (talk.talk !== "answered") return talk.talk === "trouble" ? talk.trouble : undefined;
    const { said } = this.#turnState;
    const { lastAside: aside, isAnswered } = this.#updates;
    const parts = { answer: talk.answer, quirks: this.#quirks, said, isAnswered, kept: this.#kept, aside };
    return acpTrouble({ ...parts, refused: this.#refused }) ?? "none";
  }
}

/** Every agent we tried answers in a third of this. */
const cancelMs = 1_000;
