/** With a sandbox, neither an agent nor a verify command can change anything in the home for good. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { chosenSandbox } from "../../src/world/sandbox/confine.ts";
import { Crew, work } from "./crew.ts";

beforeEach((context) => {
  if (!chosenSandbox()?.hasLayers) context.skip("this machine throws no changes of a program away");
});

const there = [
  ".gitconfig",
  ".config/git/ignore",
  ".bashrc",
  ".npm/x",
  ".claude/settings.json",
  "../cache/coxswain/x",
  "../state/coxswain/trust.json",
];
const notThere = [".local/bin/git", ".config/systemd/user/x.service", ".profile"];

/** Writes a word to each file, and shows that it can be read back at once. */
function append(who: string, names: readonly string[]): string {
  const files = names.map((name) => `"$HOME/${name}"`).join(" ");
  return `for f in ${files}; do mkdir -p "$(dirname "$f")"; (echo ${who} >> "$f") 2>/dev/null; done; tail -n 1 "$HOME/.npm/x"`;
}

test("agents and verify commands can read back what they write in the home, but change nothing there permanently", async () => {
  const all = [...there, ...notThere];
  const isReadBack = (who: string) => `test "$(${append(who, all)})" = ${who}`;
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [[{ run: ["sh", "-c", `${isReadBack("agent")} && : > read-back`] }, ...work("one.txt")]] },
    config: [`verify: '${isReadBack("verify")} && test -e read-back'`, "verify-base: false"],
  });
  for (const name of there) {
    mkdirSync(dirname(join(crew.home, name)), { recursive: true });
    // The trust file already exists when the run begins.
    if (!name.endsWith("trust.json")) writeFileSync(join(crew.home, name), "");
  }
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  const read = (name: string) => readFileSync(join(crew.home, name), "utf8");
  for (const name of there)
    expect([name, read(name)]).not.toEqual([name, expect.stringMatching(/agent|verify\n/)]);
  expect(notThere.filter((name) => existsSync(join(crew.home, name)))).toEqual([]);
});

test("an agent cannot rename a folder above a guarded place, though it may look so to the agent", async () => {
  const crew = new Crew({
    tasks: "- [ ] one",
    script: {
      one: [
        [
          { run: ["sh", "-c", 'mv "$HOME/../cache" "$HOME/../old"; mv "$HOME" "$HOME.old"; :'] },
          ...work("one.txt"),
        ],
      ],
    },
    config: ["verify: 'true'", "verify-base: false"],
  });
  // It copies and removes whatever it can, including its own desk. Whether its work is any use does not matter here.
  await crew.cox("run", "plan.md", "--yes");
  const isThere = ["../cache/coxswain", "../old", "../home", "../home.old"].map((name) =>
    existsSync(join(crew.home, name)),
  );
  expect([basename(crew.home), isThere]).toEqual(["home", [true, false, true, false]]);
});

test("also-writable makes a place permanently writable, and is shown before a yes", async () => {
  const place = "tools/cache";
  const crew = new Crew({
    tasks: "- [ ] one",
    script: { one: [[{ run: ["sh", "-c", append("agent", [`${place}/x`, ".npm/x"])] }, ...work("one.txt")]] },
    config: ["verify: 'true'", "verify-base: false", `also-writable: ~/${place}`],
  });
  mkdirSync(join(crew.home, place), { recursive: true });
  mkdirSync(join(crew.home, ".npm"));
  const shown = await crew.cox("run", "plan.md", "--no-input");
  expect(`${shown.stdout}${shown.stderr}`).toContain(`also-writable ~/${place}`);
  const ended = await crew.cox("run", "plan.md", "--yes");
  expect(ended.exitCode, ended.stderr).toBe(0);
  expect(readFileSync(join(crew.home, place, "x"), "utf8")).toBe("agent\n");
  expect(existsSync(join(crew.home, ".npm/x"))).toBe(false);
});

test("also-writable is refused for a folder that contains the home", async () => {
  const config = ["verify: 'true'", `also-writable: ${tmpdir()}`];
  const crew = new Crew({ tasks: "- [ ] one", script: {}, config });
  const wide = await crew.cox("run", "plan.md", "--yes");
  expect([wide.exitCode, wide.stderr]).toEqual([1, expect.stringContaining("SETTING_TOO_WIDE")]);
});
