/** Documents in memory with the rules of tasks on them, at a time that stands still, for tests. */
import type { DocumentPath } from "../../src/document/address.ts";
import type { Author } from "../../src/document/store.ts";
import type { TaskOperation } from "../../src/task/operation/task-operation.ts";
import type { SessionMemory } from "../../src/task/session/session-memory.ts";
import type { RefusedTask, TaskRoom } from "../../src/task/task-room.ts";
import type { VerifyHere } from "../../src/task/work/verify-here.ts";
import type { Workflows } from "../../src/task/workflow/workflows.ts";
import { DocumentMemory, MemoryStore } from "../doubles/memory-store.ts";

const names = {
  main: ["tdd-incremental-orchestration"],
  other: ["multi-option-tradeoff", "code-review-issue-based"],
};
const workflows: Workflows = {
  list: () => [],
  find: (field, name) =>
    names.main.includes(name) || (field === "workflow" && names.other.includes(name))
      ? {
          workflow: {
            name,
            kind: field,
            title: name,
            description: "",
            text: `# ${name}\n`,
            source: "shipped",
          },
        }
      : { problem: { code: "WORKFLOW_UNKNOWN", message: `no ${name}`, hint: "There are: a, b" } },
};

export class Shelf {
  readonly memory = new DocumentMemory();
  constructor(texts: Readonly<Record<string, string>> = {}) {
    for (const [path, text] of Object.entries(texts)) this.put(path, text);
  }
  put(path: string, text: string) {
    this.memory.put(path as DocumentPath, text);
  }
  text(path: string) {
    return this.memory.find(path as DocumentPath)?.text;
  }
  get changes() {
    return this.memory.deeds.length;
  }
  paths() {
    return this.memory.entries(() => true).map(({ path }) => path as string);
  }
  room(author = claude, verify: VerifyHere = never, session?: SessionMemory): TaskRoom {
    const store = new MemoryStore({ now: () => Date.UTC(2025, 9, 14, 15, 30, 45) }, this.memory);
    return { store, workflows, author, verify, signal: new AbortController().signal, session };
  }
}

export const claude: Author = { name: "claude-code 2.1.325", door: "mcp-stdio" };
export const codex: Author = { name: "codex 0.166", door: "mcp-stdio" };
const never: VerifyHere = {
  isTrusted: () => false,
  run: () => Promise.reject(new Error("nothing is run")),
};

export function fine<T extends object>(answer: T | RefusedTask): T {
  if ("problems" in answer) throw new Error(JSON.stringify(answer.problems, undefined, 1));
  return answer;
}
export function wrong(answer: object | RefusedTask): RefusedTask["problems"] {
  if (!("problems" in answer)) throw new Error(`it was not refused: ${JSON.stringify(answer)}`);
  return answer.problems;
}
export const codes = (answer: object | RefusedTask) => wrong(answer).map(({ code }) => code);

export const create = (title: string, content?: string): TaskOperation => ({
  operation: "create",
  title,
  content,
});
