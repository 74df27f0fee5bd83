/** Puts an answer on the wire. A reader that does not read is let go before what waits for it fills the memory. */
import type { HttpAnswer } from "../world/loopback-server.ts";
import { isRecord } from "./read-message.ts";
import { explained } from "./refusal.ts";

/** Answers with whether the reader kept up. */
export async function sendResponse(answer: HttpAnswer, response: Response): Promise<"sent" | "dropped"> {
  const told = response.status >= 400 ? await withHint(response) : response;
  answer.begin(told.status, Object.fromEntries(told.headers));
  const reader = told.body?.getReader();
  const leave = () => void reader?.cancel().catch(() => {});
  answer.gone.addEventListener("abort", leave);
  try {
    // Read at once, whether there is room or not: what the library has to say would pile up on its side, uncounted.
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      if (answer.waiting > waitingMax) {
        answer.abandon();
        return "dropped";
      }
      answer.write(piece.value);
    }
    answer.end();
    return "sent";
  } finally {
    answer.gone.removeEventListener("abort", leave);
    leave();
  }
}

/** Beside the last piece, which may be as long as a document. */
const waitingMax = 1024 * 1024;

/** A refusal of the protocol's library, in which it says nothing of what to do. */
async function withHint(response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
  const body: unknown = await response.json();
  const error = isRecord(body) ? body.error : undefined;
  if (!isRecord(body) || !isRecord(error)) return Response.json(body, response);
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return Response.json(
    { ...body, error: explained({ code, message, data }) },
    { status: response.status, headers },
  );
}
