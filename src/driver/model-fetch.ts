/**
 * How requests go out to a model's server: never on to another one, since they carry a key; and a limit that holds for
 * longer than a moment is told at once instead of being waited for, so that somebody else can have the task.
 */
import type { ModelWorld } from "./model-access.ts";
import { resetInHeaders } from "./reset-headers.ts";

export function guardedFetch({ fetch, now }: ModelWorld): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: "error" });
    if (response.status !== 429) return response;
    const headers = Object.fromEntries(response.headers);
    const resetsAt = resetInHeaders(headers, now());
    if (resetsAt === undefined || resetsAt - now() <= waitMs) return response;
    throw new LimitReached(response.status, (await response.text()).slice(0, bodyMax), headers);
  };
}

/** What the packages wait for by themselves, and nobody minds. */
const waitMs = 10_000;
const bodyMax = 10_000;

/** In the words of the packages' own errors, and none that they would try again. */
class LimitReached extends Error {
  override name = "LimitReached";

  constructor(
    readonly statusCode: number,
    readonly responseBody: string,
    readonly responseHeaders: Readonly<Record<string, string>>,
  ) {
    super(`status ${statusCode}`);
  }
}
