/**
 * A small MCP server with the six task tools, for trying clients before ours can be: it keeps the coordinator's list
 * and a document's tasks in the same files, with far fewer rules.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const active = ".coxswain/coordinator/active.md";
const operations = z.array(
  z.strictObject({ operation: z.literal("create"), title: z.string(), content: z.string() }),
);

serveStdio(() => {
  const server = new McpServer({ name: "coxswain", version: "0.0.0" });
  const tool = <Shape extends z.ZodRawShape>(
    name: string,
    shape: Shape,
    call: (given: z.output<z.ZodObject<Shape>>) => object,
  ) => {
    server.registerTool(
      name,
      { description: `The tool ${name}`, inputSchema: z.strictObject(shape) },
      async (given) => {
        const data = call(given as z.output<z.ZodObject<Shape>>);
        return { content: [{ type: "text", text: JSON.stringify(data) }] };
      },
    );
  };

  tool("coordinator_task", { operations }, ({ operations }) => created(active, operations));
  tool("start_coordinator_task", {}, () => ({ task: started(active, nextOf(active)) }));
  tool("complete_coordinator_task", { note: z.string() }, ({ note }) => {
    completed(active, nextOf(active), note);
    const next = nextOf(active);
    return next === undefined ? archived() : { next_task: next };
  });
  const document = z.string();
  tool("subagent_task", { document, operations }, (given) =>
    created(pathOf(given.document), given.operations),
  );
  tool("start_subagent_task", { document }, (given) => ({
    task: started(pathOf(given.document), titleOf(given.document)),
  }));
  tool("complete_subagent_task", { document, note: z.string() }, (given) => {
    completed(pathOf(given.document), titleOf(given.document), given.note);
    return { completed: given.document };
  });
  return server;
});

function created(path: string, made: z.output<typeof operations>): object {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "# Tasks\n\n## Tasks\n";
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, before + made.map(({ title, content }) => `\n### ${title}\n\n${content}\n`).join(""));
  return { created: made.length };
}

/** The title of the first task that is not completed. */
function nextOf(path: string): string | undefined {
  const tasks = readFileSync(path, "utf8").split(/^### /m).slice(1);
  return tasks.find((task) => !task.includes("- Status: completed"))?.split("\n")[0];
}

function started(path: string, title: string | undefined): string {
  return edited(path, title, (task) => task.replace("- Status: pending", "- Status: in_progress"));
}

function completed(path: string, title: string | undefined, note: string): void {
  edited(path, title, (task) => task.replace(/- Status: \w+/, `- Status: completed\n- Note: ${note}`));
}

function edited(path: string, title: string | undefined, edit: (task: string) => string): string {
  const parts = readFileSync(path, "utf8").split(/^(?=### )/m);
  const at = parts.findIndex((part) => slug(part.split("\n")[0] ?? "") === slug(`### ${title}`));
  const task = edit(parts[at] ?? "");
  writeFileSync(path, parts.with(at, task).join(""));
  return task;
}

function archived(): object {
  const to = ".coxswain/archived/coordinator/active-now.md";
  mkdirSync(dirname(to), { recursive: true });
  renameSync(active, to);
  return { archived: true, archived_to: `/${to}` };
}

const pathOf = (document: string) => join(".coxswain/docs", document.split("#")[0] ?? "");
const titleOf = (document: string) => document.split("#")[1] ?? "";
const slug = (heading: string) =>
  heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-");
