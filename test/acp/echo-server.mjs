/** An MCP server with one tool that says again what it is given, and that nobody calls read-only: agents ask before it. */
import { createInterface } from "node:readline";

const inputSchema = { type: "object", properties: { text: { type: "string" } } };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "echo", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "echo", description: "Says it again.", inputSchema }] }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text: `echo of ${text}` }] }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const said = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: "not found" } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
});
