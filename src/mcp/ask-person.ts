/**
 * Asks the person in front of the client, in the middle of a call. There is no waiting: the call ends with the question,
 * the client asks and calls again with the answer, and the tool begins anew and finds it. The library does the same with
 * clients of before 2026-07-28, so a tool must ask before it does anything.
 *
 * What was answered in earlier rounds travels through the client and back. It needs no seal: whoever could forge it
 * could forge the answer itself.
 */
import { createHash } from "node:crypto";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { canShowForms } from "./author.ts";
import { isRecord } from "./read-message.ts";
import type { AskPerson } from "./tool.ts";

/** Calls `work` with somebody to ask, or with nobody where the client cannot. */
export async function withPerson(
  server: Server,
  context: ServerContext,
  work: (person: AskPerson | undefined) => Promise<CallToolResult>,
): Promise<CallToolResult | InputRequiredResult> {
  if (!canShowForms(server, context)) return work(undefined);
  const { mcpReq } = context;
  try {
    return await work(new Rounds(mcpReq.inputResponses, earlier(mcpReq.requestState())));
  } catch (thrown) {
    if (!(thrown instanceof Asked)) throw thrown;
    return thrown.question;
  }
}

type Answers = Readonly<Record<string, string | null>>;

class Rounds implements AskPerson {
  #asked = 0;

  constructor(
    private readonly responses: Parameters<typeof inputResponse>[0],
    private readonly earlier: Answers,
  ) {}

  async choose(question: string, choices: readonly string[]): Promise<string | undefined> {
    const answer = this.#answer(question, { type: "string", enum: [...choices] });
    // Another word than those offered is no answer.
    return answer !== undefined && choices.includes(answer) ? answer : undefined;
  }

  async write(question: string): Promise<string | undefined> {
    return this.#answer(question, { type: "string" });
  }

  #answer(question: string, schema: { type: "string"; enum?: string[] }): string | undefined {
    this.#asked += 1;
    const key = keyOf(this.#asked, question, schema.enum);
    const known = this.earlier[key];
    if (known !== undefined) return known ?? undefined;
    const view = inputResponse(this.responses, key);
    if (view.kind !== "elicit") throw this.#ask(key, question, schema);
    const answer = view.action === "accept" ? view.content?.answer : undefined;
    this.#given[key] = typeof answer === "string" ? answer : null;
    return typeof answer === "string" ? answer : undefined;
  }

  /** What was learnt in this round, for the next one. */
  readonly #given: Record<string, string | null> = {};

  #ask(key: string, message: string, schema: { type: "string"; enum?: string[] }): Asked {
    const answer = { ...schema, title: "Answer" };
    const requestedSchema = { type: "object" as const, properties: { answer }, required: ["answer"] };
    return new Asked(
      inputRequired({
        inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) },
        requestState: JSON.stringify({ ...this.earlier, ...this.#given }),
      }),
    );
  }
}

/** Thrown by whoever asks: ends a call that needs an answer first. */
export class Asked extends Error {
  constructor(readonly question: InputRequiredResult) {
    super("a question is put to a person");
  }
}

/** By its words, so that an answer never counts for another question than the one that was shown. */
function keyOf(count: number, question: string, choices: readonly string[] = []): string {
  const words = JSON.stringify([question, ...choices]);
  return `q${count}-${createHash("sha256").update(words).digest("hex").slice(0, 16)}`;
}

function earlier(state: unknown): Answers {
  if (typeof state !== "string") return {};
  try {
    const read: unknown = JSON.parse(state);
    if (!isRecord(read)) return {};
    const sound = Object.entries(read).filter(([, answer]) => answer === null || typeof answer === "string");
    return Object.fromEntries(sound) as Answers;
  } catch {
    // Not of our making: then everything is asked anew.
    return {};
  }
}
