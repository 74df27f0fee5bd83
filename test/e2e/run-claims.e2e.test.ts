/** Agents that write files their task does not claim: the prompt says how to restore them, with commands that work. */
import { expect, test } from "vitest";
import { RunWorld } from "./run-world.ts";

/** Writes too much once; then follows its prompt to the letter. */
const obedient = `prompt=$(cat)
told=$(printf '%s\\n' "$prompt" | grep -oE "(rm|git checkout HEAD) -- .*$")
if [ -n "$told" ]; then printf '%s\\n' "$told" | sh; else
  mkdir -p src; echo one > src/one.txt
  echo changed > README.md; rm old.txt; echo new > "stray file's.txt"
fi
echo "Done."
`;

test("an agent that follows a refusal of files outside its claim restores them, and keeps the rest of its work", async () => {
  const world = new RunWorld({
    plan: "---\nverify: test -f src/one.txt\naudit: none\n---\n## Tasks\n- [ ] one\n  - Writes: src/**\n",
    files: { "README.md": "as it was\n", "old.txt": "old\n" },
    agents: { dev: obedient },
  });
  expect((await world.cox("run", "plan.md", "--yes", "--no-input")).exitCode).toBe(0);
  const [refused] = world.eventsOf("reply_refused");
  expect(refused).toMatchObject({ problems: Array(3).fill({ code: "CLAIM_VIOLATION" }) });
  expect(world.eventsOf("agent_dispatched")).toHaveLength(2);
  expect(world.git("diff", "--name-only", "main", world.branch)).toBe("src/one.txt");
});
