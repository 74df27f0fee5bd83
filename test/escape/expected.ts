/**
 * The expected result of an attempt. Both directions count: an attempt that is prevented although we say it is not is
 * also a finding.
 */
import type { Sandbox } from "../../src/world/sandbox/sandbox.ts";
import type { Attempt } from "./attempt.ts";
import type { Result } from "./play.ts";

export type User = "ordinary" | "root";

export function expected(attempt: Attempt, sandbox: Sandbox | undefined, user: User): Result {
  const { withoutSandbox, notHeld, control } = attempt;
  if (withoutSandbox?.[user] !== undefined) return control && !sandbox ? "held, control worked" : "held";
  if (!sandbox) return "worked";
  const isNotHeld =
    notHeld?.by === "any" ||
    notHeld?.by === sandbox.name ||
    (notHeld?.by === "without layers" && !sandbox.hasLayers);
  return isNotHeld ? "worked" : "held";
}
