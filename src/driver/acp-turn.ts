/**
 * One turn of an agent over ACP: its process, the conversation with it, and what both came to.
 *
 * Its answer to the prompt ends the turn: what its process does afterwards counts no more, but it is waited for.
 */
import { present } from "../std/present.ts";
import { oneLine } from "../std/printable.ts";
import { encodeUtf8 } from "../std/utf8.ts";
import type { PlainFiles } from "../world/plain-files.ts";
import type { Ended, Processes, ProcessIdentity, Running } from "../world/processes.ts";
import type { RunClock } from "../world/run-clock.ts";
import { acpReply, acpTrouble, acpUsage } from "./acp-answer.ts";
import type { AnyMessage, Talk } from "./acp-conversation.ts";
import { acpPermission } from "./acp-permission.ts";
import { type AcpQuirks, quirksOf } from "./acp-quirks.ts";
import { AcpUpdates } from "./acp-updates.ts";
import { AcpWire } from "./acp-wire.ts";
import type { ClientEvent } from "./agent-client.ts";
import { outputCaps } from "./caps.ts";
import { clientFailure } from "./client-failure.ts";
import type { ClientTale } from "./client-tale.ts";
import { isUnheld } from "./command.ts";
import type { Argv } from "./command-problem.ts";
import { confinementOf, isReadOnly } from "./confinement.ts";
import type { TurnHandle, TurnOutcome, TurnRequest, TurnWatching } from "./driver.ts";
import { recordField, textField } from "./event-fields.ts";
import { escapes } from "./failure.ts";
import { withModel } from "./model-usage.ts";
import type { KeptTurn } from "./pi-session.ts";
import { TalkedProgram } from "./talked-program.ts";
import { troubleFailure } from "./trouble.ts";

export interface AcpWorld {
  readonly processes: Processes;
  readonly files: PlainFiles;
  readonly now: RunClock["now"];
  readonly after: RunClock["after"];
  /** Between being asked to end and being killed: for it to end what it started itself. */
  readonly graceMs: number;
  /** For each step before the prompt. */
  readonly handshakeMs: number;
  /** What an agent gets of ours, with these variables of its own. */
  environmentOf(turn: TurnRequest, variables: readonly string[]): Readonly<Record<string, string>>;
}

export interface AcpTurnParts {
  readonly world: AcpWorld;
  readonly turn: TurnRequest;
  readonly argv: Argv;
  readonly watching: TurnWatching | undefined;
}

export class AcpTurn implements TurnHandle {
  readonly identity?: ProcessIdentity;
  readonly outcome: Promise<TurnOutcome>;
  readonly #parts: AcpTurnParts;
  readonly #quirks: AcpQuirks;
  readonly #program: TalkedProgram;
  readonly #updates: AcpUpdates;
  readonly #wire: AcpWire<AnyMessage>;
  #session: string | undefined;
  #kept: KeptTurn | undefined;
  #refused: string | undefined;
  #wasCancelled = false;
  /** While its prompt is under way. */
  #askToCancel: (() => void) | undefined;
  #takeBack = () => {};

  constructor(parts: AcpTurnParts) {
    const { world, turn, watching } = parts;
    this.#parts = parts;
    this.#quirks = quirksOf(turn.settings);
    this.#updates = new AcpUpdates({ quirks: this.#quirks, desk: turn.desk });
    this.#wire = new AcpWire({
      write: (bytes) => this.#program.write(bytes),
      onUpdate: (session, update) => this.#hear(session, update),
    });
    this.#program = new TalkedProgram({
      processes: world.processes,
      program: this.#toStart(),
      watching,
      onMessage: (message) => this.#wire.receive(message),
      onEnd: () => this.#wire.close(),
    });
    if (this.#running.identity) this.identity = this.#running.identity;
    this.outcome = this.#run();
  }

  /** First in the protocol's words; an agent that does not answer to them is ended as any program. */
  cancel(): void {
    if (this.#wasCancelled) return;
    this.#wasCancelled = true;
    const { graceMs, after } = this.#parts.world;
    const isAsked = this.#askToCancel !== undefined;
    this.#askToCancel?.();
    if (!isAsked) this.#running.cancel();
    else this.#takeBack = after(Math.min(graceMs, cancelMs), () => this.#running.cancel());
  }

  get #running(): Running {
    return this.#program.running;
  }

  get #tale(): ClientTale {
    return this.#program.tale;
  }

  #toStart() {
    const { world, turn, argv } = this.#parts;
    const { variables } = this.#quirks;
    const { defaults, environment } = this.#manner;
    return {
      argv: [...argv, ...(turn.settings.args ?? [])] as const,
      folder: turn.desk,
      environment: { ...defaults, ...world.environmentOf(turn, variables), ...environment },
      ...outputCaps,
      graceMs: world.graceMs,
      confinement: confinementOf(turn),
    };
  }

  get #manner() {
    return isReadOnly(this.#parts.turn) ? this.#quirks.readOnly : this.#quirks.developer;
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
    // The protocol's package takes its time to load, and few runs need it.
    const { converse } = await import("./acp-conversation.ts");
    return converse({
      stream: this.#wire,
      turn,
      manner: this.#manner,
      handshakeMs: world.handshakeMs,
      after: (ms, call) => world.after(ms, call),
      onPrompt: (session, cancel) => {
        this.#session = session;
        this.#askToCancel = cancel;
        this.#tale.take({ heard: "session", id: session });
      },
      onPermission: (request) => this.#permit(request),
    });
  }

  /** A helper of its own has a session of its own, and what was said before the prompt is of another turn. */
  #hear(session: unknown, update: ClientEvent): void {
    if (session !== this.#session) return;
    for (const heard of this.#updates.hear(update)) this.#tale.take(heard);
  }

  #permit(request: ClientEvent): object {
    const { turn } = this.#parts;
    const asked = recordField(request.toolCall);
    for (const heard of this.#updates.hearCall(asked)) this.#tale.take(heard);
    const call = this.#updates.callOf(asked.toolCallId);
    const { isAllowed, outcome } = acpPermission({
      request,
      call,
      isReadOnly: isReadOnly(turn),
      server: turn.server,
    });
    if (!isAllowed) {
      this.#refused = oneLine(textField(call.title) ?? "a tool", 120);
      this.#tale.take({ heard: "action", words: `was refused: ${this.#refused}` });
    }
    return { outcome };
  }

  #outcomeOf(talk: Talk, ended: Ended): TurnOutcome {
    const { turn } = this.#parts;
    if (talk.talk === "answered") this.#kept = this.#keptTurn();
    const counted = this.#usageOf(talk);
    const model = turn.settings.model ?? `the default model of ${this.#quirks.title}`;
    const usage = counted && withModel(counted, model);
    if (usage !== undefined) this.#tale.take({ heard: "usage", usage, of: "turn" });
    const ending = this.#endingOf(talk, ended);
    const { said, messages } = this.#tale;
    const reply = ending.kind === "replied" ? acpReply(said, turn.fence) : messages;
    return {
      ended: ending,
      reply: encodeUtf8(reply).subarray(0, outputCaps.keepBytes),
      lastLine: this.#program.lastLine,
      ...present({ usage, session: this.#session }),
      ...(isUnheld(ended) && { isUnheld: true }),
      misconduct: escapes(turn.agent, ended.escaped),
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
    // The cost of a conversation that is gone on with is that of all its turns.
    return usdMicros === 0 || this.#parts.turn.resume !== undefined ? counted : { ...counted, usdMicros };
  }

  #endingOf(talk: Talk, ended: Ended): TurnOutcome["ended"] {
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

  /** Nothing where the protocol tells nothing of it. */
  #troubleOf(talk: Talk) {
    if (talk.talk !== "answered") return talk.talk === "trouble" ? talk.trouble : undefined;
    const { said } = this.#tale;
    const { lastAside: aside, isAnswered } = this.#updates;
    const parts = { answer: talk.answer, quirks: this.#quirks, said, isAnswered, kept: this.#kept, aside };
    return acpTrouble({ ...parts, refused: this.#refused }) ?? "none";
  }
}

/** All that were tried answer in a third of it. */
const cancelMs = 1_000;
