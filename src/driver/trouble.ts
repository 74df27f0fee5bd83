/**
 * Turns what a client reports as wrong into a failure code, and advice for a person. Clients pass on what the models'
 * servers say, each in its own words, so we match the words when there is no status code.
 */
import { oneLine, quote } from "../std/printable.ts";
import type { FailureCode, TurnOutcome } from "./driver.ts";
import { failure } from "./failure.ts";
import { resetTime } from "./output/reset-time.ts";
import type { AgentClient, Trouble } from "./programs/agent-client.ts";

export interface Troubled {
  readonly agent: string;
  readonly client: Pick<AgentClient, "title" | "signIn">;
  readonly trouble: Trouble;
  /** In seconds since 1970, if it was reported. */
  readonly resetsAt?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function troubleFailure({ agent, client, trouble, resetsAt, now }: Troubled): TurnOutcome["ended"] {
  const code = troubleCode(trouble) ?? "AGENT_API";
  const { title } = client;
  const said = quote(plainMessage(trouble.message), 200);
  const what = words[code] ?? "failed";
  const reset =
    code === "AGENT_RATE_LIMIT" ? resetTime({ trouble, reportedReset: resetsAt, now }) : undefined;
  const lifted = reset === undefined ? "" : ` It resets at ${new Date(reset).toISOString()}.`;
  const advice = code === "AGENT_NOT_SIGNED_IN" ? `${client.signIn}, then resume.` : (advices[code] ?? "");
  const ended = failure(code, `agent ${oneLine(agent)} (${title}) ${what}: ${said}.${lifted} ${advice}`);
  return reset === undefined ? ended : { ...ended, resetsAt: reset };
}

/** `undefined` when it is no failure that we know. */
export function troubleCode({ message, status, code }: Trouble): FailureCode | undefined {
  if (code !== undefined) return code;
  if (patterns.context.test(message)) return "AGENT_CONTEXT";
  // Some servers report an exhausted quota with 403.
  if (status === 429 || patterns.limit.test(message)) return "AGENT_RATE_LIMIT";
  if (status === 401 || status === 403 || patterns.signIn.test(message)) return "AGENT_NOT_SIGNED_IN";
  if (patterns.refused.test(message)) return "AGENT_REFUSED";
  return status === undefined ? undefined : "AGENT_API";
}

const patterns = {
  context:
    /prompt is too long|context[ _](length|window|limit)|maximum context|exceeds? the (maximum number of tokens|context)|input token count|too many tokens|request too large|too large to compact/i,
  limit:
    /rate.?limit|\b429\b|too many requests|quota|usage limit|hit your limit|resource.?exhausted|credit balance/i,
  signIn:
    /\b401\b|unauthori[sz]ed|unauthenticated|authenticat|invalid (x-)?api.?key|api key (not valid|is (missing|invalid))|incorrect api key|not logged in|please (run )?\/?log ?in|please set an auth|sign in|auth method|missing environment variable/i,
  refused: /safeguards|content.?(policy|filter)|usage policy|violat|refus(ed|al)/i,
};

const words: Readonly<Partial<Record<FailureCode, string>>> = {
  AGENT_NOT_SIGNED_IN: "is not signed in",
  AGENT_RATE_LIMIT: "has reached a limit of its model",
  AGENT_CONTEXT: "was given more than its model can read at once",
  AGENT_REFUSED: "got a refusal from its model",
  AGENT_API: "got no answer from its model",
  AGENT_LIMIT: "stopped at a limit of its own",
  AGENT_NO_RESULT: "was interrupted",
  AGENT_SESSION_LOST: "no longer knows the conversation it should resume",
  AGENT_PROTOCOL: "does not keep to its protocol",
};

const advices: Readonly<Partial<Record<FailureCode, string>>> = {
  AGENT_RATE_LIMIT: "Resume after that, or give the task to another agent.",
  AGENT_CONTEXT: "Split the task, or take long documents out of what it must read.",
  AGENT_REFUSED: "Reword the task, or give it to another agent.",
  AGENT_API: "Try again; if it keeps failing, start the program by hand and see what it says.",
  AGENT_PROTOCOL: "Start its command by hand and see what it says.",
  AGENT_LIMIT: "Raise it in the agent's args, or split the task.",
};

/** Many clients pass on the server's JSON as text, some inside other words. */
export function plainMessage(message: string): string {
  const [, inner] = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  if (inner === undefined) return message;
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return message;
  }
}
