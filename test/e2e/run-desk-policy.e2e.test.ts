/** Work at a desk is judged by the same policy as replies: what `cox apply` refuses or asks about, a run does too. */
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { create, edit, replyOf } from "../bad-inputs/row.ts";
import { cox } from "./program.ts";
import { opensSeen, RunWorld } from "./run-world.ts";

const plan = (...tasks: string[]) =>
  `---\nverify: test -f README.md\n---\n## Tasks\n${tasks.map((task) => `- [ ] ${task}\n`).join("")}`;

/** First creates a file whose name differs only in spelling from an existing one; when that is refused, fixes it. */
const twins = (made: string, instead: string) => `cat > /dev/null
if mkdir "$HOME/seen/$COX_TASK"; then mkdir -p "$(dirname ${made})"; echo "$COX_TASK" > ${made}
else rm -r ${made}; rmdir --ignore-fail-on-non-empty "$(dirname ${made})"; mkdir -p "$(dirname ${instead})"; echo "$COX_TASK" > ${instead}; fi
echo "READY FOR AUDIT: $COX_TASK"
`;

test.for([
  { made: "Readme.md", instead: "MORE.md", other: "README.md" },
  { made: "Src/x", instead: "src/x", other: "src/x" },
])(
  "PATH-54 a name that differs only in case from an existing one is refused at a desk as by cox apply: $made",
  async ({ made, instead, other }) => {
    const world = new RunWorld({
      plan: plan("twin"),
      agents: { dev: twins(made, instead) },
      config: opensSeen,
      files: { "README.md": "Here.\n", "src/a.ts": "a\n" },
    });
    const applied = await cox(["apply", "--json"], { cwd: world.root, stdin: replyOf(create(made)) });
    expect(applied.exitCode).toBe(1);
    const [{ code, message }] = JSON.parse(applied.stdout).errors;
    expect({ code, message }).toEqual({
      code: "PATH_CASE_COLLISION",
      message: `"${made}" and "${other}" on the disk are one file where case does not count (macOS, Windows)`,
    });

    const ran = await world.cox("run", "plan.md", "--yes", "--no-input");
    expect(ran.exitCode, ran.stderr).toBe(0);
    const [refused] = world.eventsOf("reply_refused");
    expect(refused?.problems).toMatchObject([{ code, message, path: made }]);
    const files = world.git("ls-tree", "-r", "--name-only", world.branch).split("\n");
    expect(files).toContain(instead);
    expect(files).not.toContain(made);
  },
);

test("a file that is renamed at a desk only in upper and lower case is accepted", async () => {
  const renames = 'cat > /dev/null; git mv Readme.md README.md; echo "READY FOR AUDIT: $COX_TASK"\n';
  const world = new RunWorld({
    plan: "---\nverify: test -f README.md\nconfirm-deletes: always-allow\n---\n## Tasks\n- [ ] rename\n  - Deletes: Readme.md\n",
    agents: { dev: renames },
    files: { "Readme.md": "Here.\n" },
  });
  const ran = await world.cox("run", "plan.md", "--yes", "--no-input");
  expect(ran.exitCode, ran.stderr).toBe(0);
  expect(world.git("ls-tree", "-r", "--name-only", world.branch)).toContain("README.md");
});

test("an edit of a read-only file gets a warning from cox apply, and before a run lands", async () => {
  const edits = 'cat > /dev/null; echo more >> made.ts; echo "READY FOR AUDIT: $COX_TASK"\n';
  const files = { "README.md": "Here.\n", "made.ts": "one\n", "other.ts": "one\n" };
  const world = new RunWorld({ plan: plan("edit"), agents: { dev: edits }, files });
  for (const path of ["made.ts", "other.ts"]) chmodSync(join(world.root, path), 0o444);

  const stdin = replyOf(edit("other.ts", ["one", "two"]));
  const applied = await cox(["apply", "--json", "--dry-run"], { cwd: world.root, stdin });
  expect(applied.exitCode, applied.stdout).toBe(0);
  expect(JSON.parse(applied.stdout).warnings).toMatchObject([{ code: "PATH_READ_ONLY", path: "other.ts" }]);

  expect((await world.cox("run", "plan.md", "--yes", "--no-input")).exitCode).toBe(0);
  const planned = await world.cox("land", "--dry-run");
  expect(planned.stderr.replace(/\s+/g, " ")).toContain("read-only: made.ts");
  expect(planned.stderr).not.toContain("other.ts");
  const landed = await world.cox("land", "--yes");
  expect(landed.exitCode, landed.stderr).toBe(0);
  expect(statSync(join(world.root, "made.ts")).mode & 0o777).toBe(0o444);
});
