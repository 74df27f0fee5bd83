import { expect, test } from "vitest";
import { commandProblem } from "./command-problem.ts";

test.for([
  ["claude -p {prompt}", "CONFIG_SHELL_TEMPLATE"],
  ["my-agent", "CONFIG_SHELL_TEMPLATE"],
  [["sh", "-c", "claude -p '{prompt}'"], "CONFIG_SHELL_TEMPLATE"],
  [["sh", "-c", 'claude -p "{{ prompt }}"'], "CONFIG_SHELL_TEMPLATE"],
  [["bash", "-lc", "codex exec $PROMPT"], "CONFIG_SHELL_TEMPLATE"],
  [["claude", "-p", "{prompt}"], "CONFIG_SHELL_TEMPLATE"],
  [undefined, "CONFIG_BAD_COMMAND"],
  [[], "CONFIG_BAD_COMMAND"],
  [[""], "CONFIG_BAD_COMMAND"],
  [["node", 3], "CONFIG_BAD_COMMAND"],
  [["node", "a\0b"], "CONFIG_BAD_COMMAND"],
  [{ program: "node" }, "CONFIG_BAD_COMMAND"],
] as const)("PROC-15 %j is refused as %s", ([command, code]) => {
  expect(commandProblem(command)).toMatchObject({ code, hint: expect.stringMatching(/^[A-Z].*\.$/) });
});

test.for([
  [["node", "tools/agent.mjs"]],
  [["sh", "-c", "cat >/dev/null; echo '{}'"]],
  [["agent", "--prompt-from", "stdin", ""]],
])("%j is fine", ([command]) => {
  expect(commandProblem(command)).toBeUndefined();
});
