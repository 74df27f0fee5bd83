/** Where the system confines: what a user trusts or runs later is not an agent's to write, nor a verify command's. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { canConfine } from "../../src/world/confine.ts";
import { Crew, work } from "./crew.ts";

const guarded = [
  ".gitconfig",
  ".config/git/ignore",
  ".bashrc",
  "../cache/coxswain/x",
  "../state/coxswain/trust.json",
];
const needed = [".npm/x", ".claude/x"];

test("agents and verify commands write to caches of packages and homes of programs, not to what is trusted or run later", async (context) => {
  if (!canConfine()) context.skip("this machine confines no program");
  const append = (who: string) =>
    `cd "$HOME"; for f in ${[...guarded, ...needed].join(" ")}; do (echo ${who} >> "$f") 2>/dev/null; done; :`;
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [[{ run: ["sh", "-c", append("agent")] }, ...work("one.txt")]] },
    config: [`verify: '${append("verify")}'`, "verify-base: false"],
  });
  for (const name of [...guarded, ...needed]) {
    mkdirSync(dirname(join(crew.home, name)), { recursive: true });
    // Of what is trusted there is something already once the run begins.
    if (!name.endsWith(".json")) writeFileSync(join(crew.home, name), "");
  }
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  const read = (name: string) => readFileSync(join(crew.home, name), "utf8");
  for (const name of guarded)
    expect([name, read(name)]).not.toEqual([name, expect.stringMatching(/agent|verify\n/)]);
  expect(needed.map(read)).toEqual(["agent\nverify\n", "agent\nverify\n"]);
});
