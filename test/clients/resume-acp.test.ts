/**
 * A conversation with each real agent over ACP is gone on with in another process, where its sessions survive that; and it
 * has the tools of its turn's own server, where it takes one, also when it judges and is refused all others.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { ModelServer } from "../../src/model-server/server.ts";
import { decodeUtf8 } from "../../src/std/utf8.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { nodeLoopbackServers } from "../../src/world/network/node-loopback-server.ts";
import { nodeClock } from "../../src/world/time/clock.ts";
import { acpDriver } from "../acp/played-turn.ts";
import { turnIn } from "../driver/scripted-program.ts";
import { acpCrews } from "./crew-acp.ts";
import { acpCommand, foldersBeside } from "./plan-run.ts";
import { saw } from "./seen.ts";

const server = {
  name: "turn",
  command: [process.execPath, fileURLToPath(new URL("../acp/echo-server.mjs", import.meta.url))] as const,
  environment: {},
};

for (const client of acpCrews) {
  test(`${client.title} ${client.version} resumes a conversation with the tools of its turn, or says that it cannot`, async ({
    skip,
  }) => {
    const command = await acpCommand(client, skip);
    const model = await ModelServer.start(
      { servers: nodeLoopbackServers, clock: nodeClock, chance: nodeChance },
      { script: { conversations: { aside: { when: { model: "small" }, steps: [{ text: "A word" }] } } } },
    );
    onTestFinished(() => model.close());
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-client-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
    for (const [path, text] of Object.entries(client.home(model.url))) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const usual = [dirname(process.execPath), "/usr/bin", "/bin"];
    const PATH = [...(await foldersBeside(client, skip)), ...usual].join(delimiter);
    const settings = { driver: "acp", command, passEnvironment: Object.keys(client.env(model.url)) };
    const driver = acpDriver({ ours: { HOME: folder, PATH, ...client.env(model.url) } });
    const say = (words: string, steps: object[], more = {}) => {
      const prompt = `${words} MODEL-SCRIPT ${JSON.stringify({ steps })} SCRIPT-END`;
      return driver.start({ ...turnIn(folder), prompt, settings, ...more }).outcome;
    };

    const { canResume, takesServer } = driver.forAgent?.(settings) ?? driver;
    const served = takesServer ? { server } : {};
    const echo = takesServer ? [{ tool: "echo", input: { text: "a word" } }] : [];
    const heardBack = (words: string) => {
      const asked = model.seen.filter(({ turns }) => JSON.stringify(turns).includes(words));
      return JSON.stringify(asked.at(-1)?.turns);
    };

    // Who cannot go on with it has the tools now, since one that can be asked later has them among fewer others then.
    const told = [...(canResume ? [] : echo), { text: "I will remember." }];
    const first = await say("The word is heron.", told, served);
    expect(first).toMatchObject({ ended: { kind: "replied" }, session: expect.any(String) });
    if (!canResume) {
      expect(heardBack("The word is heron.")).toContain("echo of a word");
      return saw(client, { resume: "no", MCP: "yes" });
    }

    const steps = [...echo, { text: "heron" }];
    const turn = { resume: first.session, role: "auditor", ...served };
    const second = await say("Which word is it?", steps, turn);
    expect(second).toMatchObject({ ended: { kind: "replied" }, session: first.session });
    expect(decodeUtf8(second.reply)).toBe("heron");
    expect(heardBack("Which word is it?")).toContain("The word is heron.");
    if (takesServer) expect(heardBack("Which word is it?")).toContain("echo of a word");
    const spent = (second.usage?.inputTokens ?? 0) + (second.usage?.outputTokens ?? 0);
    expect(spent).toBe(client.tokens(steps.length, { isGoneOn: true }));
    expect(second.usage?.usdMicros !== undefined).toBe(client.tellsCostGoneOn ?? false);
    saw(client, { resume: "yes", MCP: takesServer ? "yes" : "no" });
  });
}
