/** The body of a request, up to a limit, judged: one message of the protocol, or a batch of them. */
import type { IncomingMessage } from "node:http";
import { grouped } from "../std/counted.ts";
import { size } from "../std/size.ts";
import { HttpRefusal } from "./http-refusal.ts";
import { judgeMessage, readJson } from "./read-message.ts";

export async function readBody(request: IncomingMessage): Promise<{ body: unknown } | HttpRefusal> {
  const text = await textOf(request);
  if (text === undefined) return tooLarge;
  const read = readJson(text);
  if ("problem" in read) return new HttpRefusal(400, read.problem, { number: read.number });
  const { value } = read;
  if (Array.isArray(value) && value.length > batchMax) return tooMany(value.length);
  for (const one of Array.isArray(value) && value.length > 0 ? value : [value]) {
    const judged = judgeMessage(one);
    if ("refusal" in judged)
      return new HttpRefusal(400, judged.problem, { number: judged.refusal.error.code });
  }
  return { body: value };
}

const bytesMax = 4 * 1024 * 1024;
/** What is read and thrown away, so that the sender gets to read the refusal instead of a broken connection. */
const discardedMax = 64 * 1024 * 1024;
const batchMax = 100;

/** Nothing when it is too long. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    const bytes: Buffer = piece;
    length += bytes.length;
    if (length <= bytesMax) pieces.push(bytes);
    else pieces.length = 0;
    if (length > discardedMax) break;
  }
  return length > bytesMax ? undefined : Buffer.concat(pieces).toString("utf8");
}

const tooLarge = new HttpRefusal(
  413,
  {
    code: "LIMIT_BODY",
    message: `the body is larger than ${size(bytesMax)}`,
    hint: "Send less at once: several calls, or a file that is named instead of its content.",
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
