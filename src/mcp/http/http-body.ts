/** Reads and judges the body of a request: one protocol message, or a batch of them. */
import { grouped } from "../../std/counted.ts";
import { size } from "../../std/size.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import { judgeMessage, readJson } from "../stdio/read-message.ts";
import { HttpRefusal } from "./http-refusal.ts";

export interface HttpBody {
  readonly messages: unknown;
}

export function readBody(bytes: Uint8Array): HttpBody | HttpRefusal {
  const read = readJson(decodeUtf8(bytes));
  if ("problem" in read) return new HttpRefusal(400, read.problem, { number: read.number });
  const { value } = read;
  if (Array.isArray(value) && value.length > batchMax) return tooMany(value.length);
  for (const one of Array.isArray(value) && value.length > 0 ? value : [value]) {
    const judged = judgeMessage(one);
    if ("refusal" in judged)
      return new HttpRefusal(400, judged.problem, { number: judged.refusal.error.code });
  }
  return { messages: value };
}

export const bodyBytesMax = 4 * 1024 * 1024;
const batchMax = 100;

export const bodyTooLong = new HttpRefusal(
  413,
  {
    code: "LIMIT_BODY",
    message: `the body is larger than ${size(bodyBytesMax)}`,
    hint: "Send less at once: use several calls, or name a file instead of sending its content.",
  },
  { headers: { connection: "close" } },
);

function tooMany(count: number): HttpRefusal {
  return new HttpRefusal(400, {
    code: "LIMIT_BATCH",
    message: `the batch has ${grouped(count)} messages; the limit is ${batchMax}`,
    hint: "Send them one by one; the protocol has no batches since 2025-06-18.",
  });
}
