/** Backlog.md, a program for tasks and documents in Markdown files, through its own MCP server. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fetchable } from "../../test/clients/fetched.ts";
import { StdioServer } from "./stdio-server.ts";

export const backlogProgram: Fetchable = { name: "backlog.md", version: "1.52.0", program: "backlog" };

/** Creates a project that stays in its own folder and branch. */
export function beginBacklog(folder: string): void {
  execFileSync("git", ["init", "-q", folder]);
  mkdirSync(join(folder, "backlog"), { recursive: true });
  writeFileSync(join(folder, "backlog/config.yml"), config);
}

export function startBacklog(program: string, folder: string): Promise<StdioServer> {
  return StdioServer.start({ args: [program, "mcp", "start"], folder, environment: { HOME: folder } });
}

const config = `project_name: "bench"
default_status: "To Do"
statuses: ["To Do", "In Progress", "Done"]
labels: []
date_format: yyyy-mm-dd
remote_operations: false
auto_commit: false
check_active_branches: false
task_prefix: "task"
`;
