/** Sends a response. A client that does not read is dropped before the data waiting for it fills the memory. */
import type { HttpAnswer } from "../../world/network/loopback-server.ts";
import { explained } from "../refusal.ts";
import { isJsonObject } from "../stdio/read-message.ts";

/** Returns whether the client kept up. */
export async function sendResponse(answer: HttpAnswer, response: Response): Promise<"sent" | "dropped"> {
  const sent = response.status >= 400 ? await withHint(response) : response;
  answer.begin(sent.status, Object.fromEntries(sent.headers));
  const reader = sent.body?.getReader();
  const leave = () => void reader?.cancel().catch(() => {});
  answer.gone.addEventListener("abort", leave);
  try {
    // Read on even if there is no room: otherwise the library's output would pile up on its side, uncounted.
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

/** In addition to the last piece, which may be as long as a document. */
const waitingMax = 1024 * 1024;

/** Adds a hint to an error from the protocol library, which does not say what to do. */
async function withHint(response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
  const body: unknown = await response.json();
  const error = isJsonObject(body) ? body.error : undefined;
  if (!isJsonObject(body) || !isJsonObject(error)) return Response.json(body, response);
  const { code, message, data } = error as { code: number; message: string; data?: unknown };
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  return Response.json(
    { ...body, error: explained({ code, message, data }) },
    { status: response.status, headers },
  );
}
