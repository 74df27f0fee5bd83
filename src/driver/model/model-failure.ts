/**
 * Turns what went wrong between us and a model's server into a failure of the turn, and advice for a person.
 *
 * Each server reports it differently, by status, message and headers; the shape of what it sends is never trusted. A
 * key never gets into a message, even if the server quotes it.
 */
import { unreachable } from "../../std/assert.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { FailureCode, TurnOutcome } from "../driver.ts";
import { recordField, textField } from "../programs/event-fields.ts";
import { plainMessage, troubleCode } from "../trouble.ts";
import type { ModelAccess } from "./model-access.ts";
import { resetInHeaders } from "./reset-headers.ts";

export interface ModelTrouble {
  readonly message: string;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The errno when the server could not be reached. */
  readonly errno?: string;
  /** The answer began but did not finish. */
  readonly isCut: boolean;
}

/** Reads an error that the packages throw or put into the stream. */
export function troubleOf(error: unknown): ModelTrouble {
  // After several tries, the last error counts.
  const { lastError = error } = recordField(error);
  const { statusCode, responseBody, responseHeaders, name } = recordField(lastError);
  const { message: said } = recordField(lastError);
  const whole = textField(responseBody) || textField(said) || JSON.stringify(lastError) || String(lastError);
  const message = whole.slice(0, messageMax);
  const errno = errnoIn(lastError);
  const status = typeof statusCode === "number" ? statusCode : undefined;
  return {
    message,
    ...(status !== undefined && { status }),
    headers: recordField(responseHeaders) as Readonly<Record<string, string>>,
    ...(errno !== undefined && status === undefined && { errno }),
    isCut: cutWords.test(message) || textField(name) === "AI_InvalidResponseDataError",
  };
}

/** Enough for a server's sentence; the end of an HTML page adds nothing. */
const messageMax = 10_000;

/** What Node and the packages say when a connection ends in mid-stream. */
const cutWords = /^terminated$|without a finish (reason|chunk)/i;

function errnoIn(error: unknown): string | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && typeof at === "object" && at !== null; depth++) {
    const { code, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === "string" && /^(E[A-Z]+|UND_ERR_\w+|[A-Z_]*CERT[A-Z_]*)$/.test(code)) return code;
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return undefined;
}

/** Whether the server refuses tools rather than the request: some models, and some servers, do not support them. */
export function refusesTools({ status, message }: ModelTrouble): boolean {
  if (status === undefined || ![400, 404, 422, 501].includes(status)) return false;
  return (
    /\btools?\b|tool[_ -](use|choice|calls?)|function.?call/i.test(message) &&
    /support|unknown|unrecogni[sz]ed|enable|not allowed|not permitted|unexpected/i.test(message)
  );
}

export interface ModelFailureContext {
  readonly agent: string;
  readonly access: ModelAccess;
  readonly now: number;
}

export function modelFailure(trouble: ModelTrouble, failing: ModelFailureContext): TurnOutcome["ended"] {
  const code = codeOf(trouble);
  const { agent, access, now } = failing;
  const said = quote(masked(plainMessage(trouble.message), access), 200);
  const resetsAt = code === "AGENT_RATE_LIMIT" ? resetInHeaders(trouble.headers, now) : undefined;
  const reset = resetsAt === undefined ? "" : ` It resets at ${new Date(resetsAt).toISOString()}.`;
  const who = `agent ${oneLine(agent)} (${oneLine(access.model)})`;
  return {
    kind: "failed",
    code,
    message: `${who} ${whatOf(code, trouble)}: ${said}.${reset} ${adviceOf(code, trouble, access)}`.trim(),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}

function codeOf(trouble: ModelTrouble): FailureCode {
  if (trouble.isCut && trouble.status === undefined) return "AGENT_NO_RESULT";
  if (trouble.errno !== undefined) return "AGENT_API";
  return trouble.status !== undefined && trouble.status >= 500
    ? "AGENT_API"
    : (troubleCode(trouble) ?? "AGENT_API");
}

function whatOf(code: FailureCode, { status, errno }: ModelTrouble): string {
  switch (code) {
    case "AGENT_NOT_SIGNED_IN":
      return "is not signed in";
    case "AGENT_RATE_LIMIT":
      return "has reached a limit of its model";
    case "AGENT_CONTEXT":
      return "was given more than its model can read at once";
    case "AGENT_REFUSED":
      return "got a refusal from its model";
    case "AGENT_NO_RESULT":
      return "was cut off: its model's answer is incomplete";
    default:
      return errno === undefined
        ? `got no answer from its model${status ? ` (status ${status})` : ""}`
        : "did not reach its model";
  }
}

function adviceOf(
  code: FailureCode,
  { errno, status }: ModelTrouble,
  { url, model, key }: ModelAccess,
): string {
  const host = oneLine(new URL(url).host);
  switch (code) {
    case "AGENT_NOT_SIGNED_IN":
      return key === undefined
        ? `${host} wants a key: name the variable that holds it in the agent's entry (key: NAME), then resume.`
        : `Set ${oneLine(key.name)} to a key that is valid for ${host}, then resume.`;
    case "AGENT_RATE_LIMIT":
      return "Resume after that, or give the task to another agent.";
    case "AGENT_CONTEXT":
      return "Split the task, or take long documents out of what it must read.";
    case "AGENT_REFUSED":
      return "Reword the task, or give it to another agent.";
    default:
      if (errno === "ECONNREFUSED") return refusedAdvice(url);
      if (errno !== undefined)
        return `Is ${host} right, and can it be reached from here (a proxy is not used)?`;
      if (status === 404) return `Is ${quote(model, 60)} a model that ${host} has, and is url right?`;
      return "Try again; if it keeps failing, check the server's own messages.";
  }
}

function refusedAdvice(url: string): string {
  const { host, port } = new URL(url);
  if (port === "11434") return "Is Ollama running? Start it: ollama serve";
  if (port === "1234") return "Is LM Studio's server running? Start it: lms server start";
  return `Nothing listens at ${oneLine(host)}: start the server, or correct url.`;
}

function masked(text: string, { key }: ModelAccess): string {
  return key === undefined ? text : text.replaceAll(key.value, "(the key)");
}

/** Why an answer that finished is still not a reply. */
export type IncompleteReason = "refusal" | "length" | "context" | "steps" | "output" | "nothing";

export function shortcomingFailure(
  what: IncompleteReason,
  { agent, access, steps }: Omit<ModelFailureContext, "now"> & { readonly steps: number },
): TurnOutcome["ended"] {
  const [code, message] = shortcomings(what, steps);
  return {
    kind: "failed",
    code,
    message: `agent ${oneLine(agent)} (${oneLine(access.model)}) ${message}`,
  };
}

function shortcomings(what: IncompleteReason, steps: number): [FailureCode, string] {
  switch (what) {
    case "refusal":
      return ["AGENT_REFUSED", "got a refusal from its model. Reword the task, or give it to another agent."];
    case "length":
      return [
        "AGENT_LIMIT",
        "was cut off: its answer is longer than its model may write at once. Split the task.",
      ];
    case "context":
      return [
        "AGENT_CONTEXT",
        "was cut off: it read and wrote more than its model can hold. Split the task, or take long documents out of what it must read.",
      ];
    case "steps":
      return [
        "AGENT_LIMIT",
        `called tools ${steps} times without finishing. Split the task, or give it to another agent.`,
      ];
    case "output":
      return [
        "AGENT_OUTPUT_LIMIT",
        "replied with more than the limit. Split the task, or give it to another agent.",
      ];
    case "nothing":
      return ["AGENT_NO_RESULT", "was cut off: its model's answer is incomplete. Try again."];
    default:
      return unreachable(what);
  }
}
