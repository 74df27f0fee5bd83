/** What the session should know again after a compaction: the coordinator's task in progress, where there is one. */
import { existsSync, readFileSync } from "node:fs";

const active = ".coxswain/coordinator/active.md";
const tasks = existsSync(active) ? readFileSync(active, "utf8").split(/^(?=### )/m) : [];
const current = tasks.find((task) => task.includes("- Status: in_progress"));
if (current) process.stdout.write(`The current task:\n\n${current}`);
