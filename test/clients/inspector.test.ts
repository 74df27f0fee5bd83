/** The MCP Inspector's command line against the real program, over both transports. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith } from "../e2e/folder.ts";
import { startHttp } from "../e2e/mcp-server.ts";
import { program } from "../e2e/program.ts";
import { environment, onNode22 } from "./node-22.ts";
import { run } from "./run.ts";

const inspector = { name: "@modelcontextprotocol/inspector", version: "2.12.0", program: "mcp-inspector" };
const files = { ".coxswain/docs/a.md": "# A\n\n## B\n\nWords.\n" };

test.for(["stdio", "http"] as const)(
  `the Inspector ${inspector.version} lists, calls, reads and asks over %s`,
  async (transport, { skip }) => {
    const inspect = await onNode22(inspector, skip);
    const folder = folderWith(files);
    const target = transport === "stdio" ? [process.execPath, program, "mcp"] : await overHttp(folder);
    const ask = async (...args: string[]) => {
      const ended = await run([...inspect, "--cli", ...target, ...args], {
        cwd: folder,
        env: environment(join(folder, "home")),
        deadlineMs: 60_000,
      });
      return { exitCode: ended.exitCode, said: ended.stdout, all: ended.stdout + ended.stderr };
    };

    const listed = await ask("--method", "tools/list", "--strict");
    expect(listed, listed.all).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining("browse_documents"),
    });
    const called = await ask("--method", "tools/call", "--tool-name", "browse_documents");
    expect(called, called.all).toMatchObject({ exitCode: 0, said: expect.stringContaining("/a.md") });
    const wrong = await ask(
      "--method",
      "tools/call",
      "--tool-name",
      "browse_documents",
      "--tool-arg",
      "nope=1",
    );
    expect(wrong, wrong.all).toMatchObject({
      exitCode: 5,
      said: expect.stringContaining("SCHEMA_UNKNOWN_KEY"),
    });
    const unknown = await ask("--method", "tools/call", "--tool-name", "browse_document");
    expect(unknown.exitCode, unknown.all).not.toBe(0);
    const read = await ask("--method", "resources/read", "--uri", "cox://docs/a.md#b");
    expect(read, read.all).toMatchObject({ exitCode: 0, said: expect.stringContaining("## B") });
    const prompt = await ask(
      "--method",
      "prompts/get",
      "--prompt-name",
      "bug-hunt",
      "--prompt-args",
      "task=this",
    );
    expect(prompt, prompt.all).toMatchObject({ exitCode: 0, said: expect.stringContaining("Task: this") });
  },
);

async function overHttp(folder: string): Promise<string[]> {
  const { url, token } = await startHttp(folder);
  return [url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
}
