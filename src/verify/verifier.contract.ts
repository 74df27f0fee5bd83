/** What every verifier promises. Each test world understands `exit N` and `true`, and has a folder of its own. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Verifier, VerifyRequest } from "./verifier.ts";

export interface VerifierWorld {
  readonly verifier: Verifier;
  readonly folder: string;
  end(): void;
}

export function verifierContract(name: string, makeWorld: () => VerifierWorld): void {
  describe(`verifier ${name}`, () => {
    let world: VerifierWorld;
    beforeEach(() => {
      world = makeWorld();
    });
    afterEach(() => world.end());

    const request = (part: Partial<VerifyRequest>): VerifyRequest => ({
      tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      folder: world.folder,
      setup: [],
      setupDigest: "digest",
      commands: [],
      marks: {},
      readOnly: [],
      ...part,
    });
    const verify = (part: Partial<VerifyRequest>) => world.verifier.verify(request(part)).evidence;

    test("commands that all exit with 0 pass, and the evidence is of their tree", async () => {
      const evidence = await verify({ commands: ["true", "exit 0"] });
      expect(evidence).toMatchObject({
        tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        passed: true,
        setupDigest: "digest",
        commands: [
          { command: "true", argv: ["/bin/sh", "-c", "true"], exitCode: 0 },
          { command: "exit 0", exitCode: 0 },
        ],
      });
      expect(evidence).not.toHaveProperty("failure");
    });

    test("stops at the first command that fails, and names it", async () => {
      const evidence = await verify({ commands: ["true", "exit 3", "exit 4"] });
      expect(evidence.passed).toBe(false);
      expect(evidence.failure).toEqual({ step: "verify", command: "exit 3", why: "exit code 3" });
      expect(evidence.commands.map(({ exitCode }) => exitCode)).toEqual([0, 3]);
    });

    test("passes without commands, with nothing as evidence", async () => {
      expect(await verify({})).toMatchObject({ passed: true, commands: [] });
    });

    test("a setup that fails is shown, and no command is run", async () => {
      const evidence = await verify({ setup: ["true", "exit 5", "true"], commands: ["true"] });
      expect(evidence).toMatchObject({
        passed: false,
        failure: { step: "setup", command: "exit 5", why: "exit code 5" },
        commands: [{ command: "exit 5", exitCode: 5 }],
      });
    });

    test("a setup that passes is not among the commands", async () => {
      const evidence = await verify({ setup: ["true"], commands: ["exit 0"] });
      expect(evidence.passed).toBe(true);
      expect(evidence.commands.map(({ command }) => command)).toEqual(["exit 0"]);
    });

    test.each([
      ["setup", { setup: ["true"], commands: ["exit 0"] }],
      ["verify", { commands: ["true", "exit 0"] }],
    ])("cancelled during %s has not passed, and says so", async (step, part) => {
      const handle = world.verifier.verify(request(part));
      handle.cancel();
      handle.cancel();
      const evidence = await handle.evidence;
      expect(evidence.passed).toBe(false);
      expect(evidence.failure).toEqual({ step, command: "true", why: "cancelled" });
      expect(evidence.commands).toMatchObject([{ command: "true", exitCode: null }]);
    });

    test("ignores a cancel after the end", async () => {
      const handle = world.verifier.verify(request({ commands: ["true"] }));
      await handle.evidence;
      handle.cancel();
      expect((await handle.evidence).passed).toBe(true);
    });

    test("verifications do not disturb each other", async () => {
      const all = await Promise.all(["exit 1", "true", "exit 2"].map((one) => verify({ commands: [one] })));
      expect(all.map(({ passed }) => passed)).toEqual([false, true, false]);
      expect(new Set(all.map(({ environmentDigest }) => environmentDigest)).size).toBe(1);
    });
  });
}
