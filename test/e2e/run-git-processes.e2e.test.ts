/** How often a run starts git, counted by a wrapper that comes first in the PATH. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

test("a run starts git twelve times at its beginning, and eight times for each task: six, and two for its auditor", async () => {
  const [one, two] = await Promise.all([gitStarted(1), gitStarted(2)]);
  expect({ beginning: one - (two - one), each: two - one }).toEqual({ beginning: 12, each: 8 });
});

/** The outside watcher's commands, which are not counted: it runs only where there is no sandbox. */
const looks: ReadonlySet<string> = new Set(["status", "for-each-ref"]);

async function gitStarted(tasks: 1 | 2): Promise<number> {
  const second = tasks === 2 ? "- [ ] two\n  - Needs: one\n" : "";
  const world = new RunWorld({
    plan: `---\nverify: test -f one.txt\n---\n## Tasks\n- [ ] one\n${second}`,
    agents: {
      dev: 'cat > /dev/null\necho x > "$COX_TASK.txt"\necho "Done."\n',
      auditor: 'cat > /dev/null\necho "AUDIT PASSED - $COX_TASK"\n',
    },
    roles: { auditor: "auditor" },
  });
  const bin = join(world.folder, "bin");
  const log = join(world.folder, "git.log");
  mkdirSync(bin);
  const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${git}' "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
  expect(await world.with({ env }).cox("run", "plan.md", "--yes")).toMatchObject({ exitCode: 0 });
  const lines = readFileSync(log, "utf8").trim().split("\n");
  return lines.filter((line) => !looks.has(commandOf(line))).length;
}

/** The command that follows the settings passed to every call. */
function commandOf(line: string): string {
  return line.replace(/^(-c \S+ )*/, "").split(" ")[0] ?? "";
}
