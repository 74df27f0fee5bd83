/** Puts an answer on the wire. A reader that does not read is let go before what waits for it fills the memory. */
import type { ServerResponse } from "node:http";
import type { HttpRefusal } from "./http-refusal.ts";
import { isRecord } from "./read-message.ts";
import { explained } from "./refusal.ts";

export function sendRefusal(out: ServerResponse, refusal: HttpRefusal): void {
  out.writeHead(refusal.status, refusal.headers);
  out.end(refusal.body);
}

/** Answers with whether the reader kept up. */
export async function sendResponse(out: ServerResponse, response: Response): Promise<"sent" | "dropped"> {
  const told = response.status >= 400 ? await withHint(response) : response;
  out.writeHead(told.status, Object.fromEntries(told.headers));
  out.flushHeaders();
  const reader = told.body?.getReader();
  const leave = () => void reader?.cancel().catch(() => {});
  out.once("close", leave);
  try {
    // Read at once, whether there is room or not: what the library has to say would pile up on its side, uncounted.
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      if (out.writableLength > waitingMax) {
        out.destroy();
        return "dropped";
      }
      out.write(piece.value);
    }
    out.end();
    return "sent";
  } finally {
    out.off("close", leave);
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
