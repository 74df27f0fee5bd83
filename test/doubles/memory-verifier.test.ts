import { expect, test } from "vitest";
import { verifierContract } from "../../src/verify/verifier.contract.ts";
import type { VerifyRequest } from "../../src/verify/verifier.ts";
import { memoryVerifier } from "./memory-verifier.ts";

verifierContract("in memory", () => ({
  verifier: memoryVerifier({ exitCode: (_, command) => Number(/^exit ([0-9]+)$/.exec(command)?.[1] ?? 0) }),
  folder: "/",
  end: () => {},
}));

const request = (tree: string): VerifyRequest => ({
  tree,
  folder: "/",
  setup: [],
  setupDigest: "",
  commands: ["test", "lint"],
  marks: {},
  readOnly: [],
});

test("the tree decides whether a verify command passes", async () => {
  const verifier = memoryVerifier({
    exitCode: (tree, command) => (tree === "b" && command === "lint" ? 1 : 0),
  });
  expect((await verifier.verify(request("a")).evidence).passed).toBe(true);
  expect((await verifier.verify(request("b")).evidence).failure?.command).toBe("lint");
});

test("a verify command runs only when its turn comes, and a cancel before that stops it", async () => {
  const ran: string[] = [];
  const turns: (() => void)[] = [];
  const verifier = memoryVerifier({
    exitCode: (_, command) => ran.push(command) - ran.length,
    turn: () => new Promise<void>((resolve) => turns.push(resolve)),
  });
  const giveTurn = async () => {
    while (turns.length === 0) await Promise.resolve();
    turns.shift()?.();
  };
  const handle = verifier.verify(request("a"));
  expect(ran).toEqual([]);
  await giveTurn();
  while (turns.length === 0) await Promise.resolve();
  expect(ran).toEqual(["test"]);
  handle.cancel();
  await giveTurn();
  expect((await handle.evidence).failure).toMatchObject({ command: "lint", why: "cancelled" });
  expect(ran).toEqual(["test"]);
});
