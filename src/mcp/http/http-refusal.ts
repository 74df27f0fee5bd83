/** Why an HTTP request is refused: a status, and a problem in the body. */
import type { Problem } from "../../std/problem.ts";
import type { HttpReply } from "../../world/network/loopback-server.ts";
import { invalidRequest, refusal } from "../refusal.ts";

export class HttpRefusal implements HttpReply {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly more: { readonly number?: number; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {}

  get headers(): Readonly<Record<string, string>> {
    return { "content-type": "application/json", ...this.more.headers };
  }

  get body(): string {
    const { number = invalidRequest } = this.more;
    return `${JSON.stringify(refusal(this.problem, { number }))}\n`;
  }
}
