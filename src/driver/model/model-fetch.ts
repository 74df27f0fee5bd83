/**
 * How requests reach a model's server. Redirects are refused, since requests carry a key. A rate limit that lasts
 * longer than a moment is reported at once instead of waited for, so that another agent can take the task.
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

/** The packages wait this long by themselves, and nobody minds. */
const waitMs = 10_000;
const bodyMax = 10_000;

/** Has the fields of the packages' own errors, but is not one that they would retry. */
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
