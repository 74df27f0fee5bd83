/**
 * Asks the person in front of the client, in the middle of a call. Nothing waits: the call ends with the question, the
 * client asks it and calls again with the answer, and the tool starts over and finds it. The library does the same with
 * clients from before 2026-07-28, so a tool must ask before it does anything.
 *
 * Answers from earlier rounds travel through the client and back. They need no signature: whoever could forge them
 * could forge the answer itself.
 */

import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { sha256 } from "../world/files/hash.ts";
import { canShowForms } from "./author.ts";
import { isJsonObject } from "./stdio/read-message.ts";
import type { AskPerson } from "./tool.ts";

/** Calls `work` with a person to ask, or with undefined if the client cannot ask one. */
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
    if (!(thrown instanceof InputRequired)) throw thrown;
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
    // A word that was not offered is not an answer.
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

  /** Answers from this round, for the next one. */
  readonly #given: Record<string, string | null> = {};

  #ask(key: string, message: string, schema: { type: "string"; enum?: string[] }): InputRequired {
    const answer = { ...schema, title: "Answer" };
    const requestedSchema = { type: "object" as const, properties: { answer }, required: ["answer"] };
    return new InputRequired(
      inputRequired({
        inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) },
        requestState: JSON.stringify({ ...this.earlier, ...this.#given }),
      }),
    );
  }
}

/** Thrown to end a call that needs an answer first. */
export class InputRequired extends Error {
  constructor(readonly question: InputRequiredResult) {
    super("a question is put to a person");
  }
}

/** The key includes the question's words, so an answer only counts for the question that was shown. */
function keyOf(count: number, question: string, choices: readonly string[] = []): string {
  const words = JSON.stringify([question, ...choices]);
  return `q${count}-${sha256(words).slice(0, 16)}`;
}

function earlier(state: unknown): Answers {
  if (typeof state !== "string") return {};
  try {
    const read: unknown = JSON.parse(state);
    if (!isJsonObject(read)) return {};
    const sound = Object.entries(read).filter(([, answer]) => answer === null || typeof answer === "string");
    return Object.fromEntries(sound) as Answers;
  } catch {
    // Not created by us, so ask everything again.
    return {};
  }
}
