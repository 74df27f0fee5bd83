/**
 * The minimum that an MCP server for tasks can do, as a program: tasks in memory, and one line per step appended and
 * synced. It keeps no documents, checks nothing, and loses its place when it ends.
 */
import { fdatasyncSync, openSync, writeSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const log = openSync("steps.log", "a");
const text = "Do the thing, as it says in the plan.";

function keep(step: string, task: string): void {
  writeSync(log, `${JSON.stringify({ at: new Date().toISOString(), step, task })}\n`);
  fdatasyncSync(log);
}

void serveStdio(() => {
  const server = new McpServer({ name: "minimal", version: "1" });
  const inputSchema = z.strictObject({ task: z.string() });
  for (const step of ["start", "complete"]) {
    server.registerTool(step, { description: `${step} a task`, inputSchema }, ({ task }) => {
      keep(step, task);
      return { content: [{ type: "text", text: `${task}: ${step}. ${text}` }] };
    });
  }
  // As long as an answer that includes its workflow.
  const long = { content: [{ type: "text" as const, text: text.repeat(270) }] };
  server.registerTool("next", { description: "the next task", inputSchema: z.strictObject({}) }, () => long);
  return server;
});
