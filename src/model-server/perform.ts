/** Sends a step to the client: in one piece or as a stream, with its delays, complete or with its scripted failure. */
import type { Json } from "../std/canonical-json.ts";
import type { HttpAnswer } from "../world/network/loopback-server.ts";
import { pauseUnless } from "../world/time/pause.ts";
import { composeAside, composeReply, type ReplyStamp } from "./compose-reply.ts";
import type { ModelReply } from "./model-reply.ts";
import type { ModelRequest } from "./model-request.ts";
import type { ModelStep } from "./script.ts";
import type { WireFormat } from "./wire-format.ts";

export interface AnswerScene {
  readonly format: WireFormat;
  readonly request: ModelRequest;
  readonly body: Json;
  readonly stamp: ReplyStamp;
  readonly answer: HttpAnswer;
}

/** Without a step, answers a request that the client makes for itself. */
export async function perform(step: ModelStep | undefined, scene: AnswerScene): Promise<void> {
  const { answer, request, stamp } = scene;
  if (step === undefined) return speak({}, composeAside(request, stamp), scene);
  const { delayMs = 0, hang, status, rateLimit } = step;
  if (delayMs > 0) await pauseUnless(answer.gone, delayMs);
  if (answer.gone.aborted || hang === true || hang === "before") return;
  if (step.drop) return answer.drop();
  if (rateLimit || status !== undefined) return refuse(step, scene);
  return speak(step, composeReply(step, request, stamp), scene);
}

/** Sends JSON with its length, so that the reader can tell if it is cut. */
export function sendJson(
  answer: HttpAnswer,
  status: number,
  { body, headers = {} }: { readonly body: Json; readonly headers?: Readonly<Record<string, string>> },
): void {
  const text = JSON.stringify(body);
  answer.begin(status, jsonHeaders(text, headers));
  answer.end(text);
}

function jsonHeaders(text: string, headers: Readonly<Record<string, string>> = {}) {
  return {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
}

function refuse(step: ModelStep, { format, answer, stamp }: AnswerScene): void {
  const { rateLimit, status = 429, error, errorType, headers = {} } = step;
  const seconds = rateLimit?.resetSeconds;
  const wire = format.failure({
    status,
    message:
      error ?? (rateLimit ? `rate limit reached, ask again in ${seconds} s` : `scripted failure ${status}`),
    ...(errorType === undefined ? {} : { type: errorType }),
    ...(seconds === undefined ? {} : { reset: { at: stamp.at + seconds * 1000, seconds } }),
  });
  sendJson(answer, status, { body: wire.body, headers: { ...wire.headers, ...headers } });
}

/** Where to cut an answer that fails midway: after its start, and before what marks it as complete. */
function middle(length: number): number {
  return Math.min(length - 1, Math.max(1, Math.floor(length / 2)));
}

async function speak(
  { hang, truncate, chunkMs = 0 }: ModelStep,
  reply: ModelReply,
  { format, request, body, answer }: AnswerScene,
): Promise<void> {
  const isCut = truncate === true || hang === "midway";
  if (!request.stream) {
    const text = JSON.stringify(format.whole(reply));
    answer.begin(200, jsonHeaders(text));
    if (!isCut) return answer.end(text);
    answer.write(text.slice(0, middle(text.length)));
    if (truncate) answer.drop();
    return;
  }
  const frames = format.frames(reply, { body });
  answer.begin(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const frame of isCut ? frames.slice(0, middle(frames.length)) : frames) {
    answer.write(frame);
    if (chunkMs > 0) await pauseUnless(answer.gone, chunkMs);
    if (answer.gone.aborted) return;
  }
  if (hang === undefined) answer.end();
}
