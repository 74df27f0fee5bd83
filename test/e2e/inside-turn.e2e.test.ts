/** An agent in its turn can run `cox` like any other program. It may read; only a person may write or decide. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/table/commands.ts";
import type { Step } from "./agent-program.ts";
import { Crew } from "./crew.ts";
import { snapshot } from "./snapshot.ts";

const refused = [
  ["init", "--yes"],
  ["approve", "plan.md", "--yes"],
  ["run", "plan.md", "--yes"],
  ["resume"],
  ["pause"],
  ["stop"],
  ["answer", "q1", "8080"],
  ["confirm", "q1"],
  ["deny", "q1"],
  ["retry", "one"],
  ["rollback", "one", "--yes"],
  ["land", "--yes"],
  ["gc"],
  ["task", "add", "x"],
  ["task", "done", "--note", "x"],
  ["mcp"],
  ["mcp", "--http"],
  ["mcp", "--tools", "run"],
  ["apply", "reply.md", "--yes"],
  ["undo"],
  ["agents", "test", "dev"],
  ["log", "--repair", "--yes"],
  ["log", "--documents", "--repair", "--yes"],
];

const looks = [
  ["status"],
  ["questions"],
  ["log"],
  ["log", "--documents"],
  ["task", "list"],
  ["undo", "--list"],
  ["agents"],
  ["transcript", "one"],
  ["replay"],
  ["replay", "--to", "1"],
  ["completion", "bash"],
  ["complete", "--", "status", "--wa"],
  ["apply", "reply.md", "--dry-run"],
];

/** Commands that write nothing of the user's. A hook prints nothing in a turn. */
const others = [
  "check",
  "why",
  "diff",
  "stats",
  "schema",
  "doctor",
  "workflows",
  "hook",
  "demo",
  "model-server",
  "turn-server",
];

const asks: Step[] = [{ say: "SEEKING DIVINE CLARIFICATION: which port?" }];
const reply =
  '```json\n{"file_operations": [{"operation": "create", "file_path": "new.txt", "description": "a new file", "content": "x"}]}\n```\n';

test("every command of cox is either allowed or refused to an agent inside its turn", () => {
  const named = new Set([...refused.map(([name]) => name), ...looks.map(([name]) => name), ...others]);
  expect([...named].sort()).toEqual(commands.map(({ name }) => name).sort());
});

test("an agent inside its turn can write and decide nothing through cox, and each attempt is recorded", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [asks] },
    config: ['verify: "true"'],
    files: { "reply.md": reply },
  });
  expect((await crew.cox("run", "plan.md", "--yes")).exitCode).toBe(3);
  const scratch = join(crew.folder, "scratch");
  mkdirSync(scratch);
  const held = () => ({ ...snapshot(crew.root), ...snapshot(join(crew.root, ".coxswain")) });
  const before = held();
  const turn = crew.with({ env: { COX_TURN: "one.1.1", TMPDIR: scratch } });

  for (const args of refused) {
    const { exitCode, stdout, stderr } = await turn.cox(...args);
    expect.soft({ args, exitCode, stdout, stderr }).toEqual({
      args,
      exitCode: 1,
      stdout: "",
      stderr: expect.stringContaining("AGENT_DECIDES"),
    });
  }
  const noted = readFileSync(join(scratch, "cox-refused.jsonl"), "utf8").trimEnd().split("\n");
  expect(noted.map((line) => JSON.parse(line).command.split(" ")[1])).toEqual(refused.map(([name]) => name));
  for (const args of looks) {
    const { exitCode, stderr } = await turn.cox(...args);
    expect.soft({ args, exitCode, stderr }).toMatchObject({ args, exitCode: 0 });
  }

  // The mark is also found in a parent process that has it.
  const shell = ["sh", "-c", 'env -u COX_TURN "$@"; exit $?', "sh"];
  for (const args of [["mcp"], ["apply", "reply.md", "--yes"]]) {
    const below = crew.with({ env: { COX_TURN: "one.1.1", TMPDIR: scratch }, under: shell });
    expect((await below.cox(...args)).stderr).toContain("AGENT_DECIDES");
  }
  expect(held()).toEqual(before);
});
