import { expect, test } from "vitest";
import { story } from "../../../test/view/story.ts";
import { continuationPrompt, developerPrompt } from "./prompt.ts";

const finding = { code: "AUDIT_BLOCKING", message: "the empty key is accepted", hint: "Refuse it." };

test("a resumed conversation gets only what is new: findings, decisions, the desk, the fence", () => {
  const told = story("a").works("a").replies("a");
  const task = {
    ...told.task("a"),
    feedback: [finding],
    guidance: [{ question: "tabs?", answer: "spaces" }],
  };
  expect(
    continuationPrompt({ task, role: "developer", isDeskKept: true, fenceTag: "f7", hasTools: false }),
  ).toBe(`# Go on with your task: Make a

Task id: a. Attempt 1.

## What a person decided

> tabs?

Answer: spaces

## What to put right

- AUDIT_BLOCKING: the empty key is accepted
  → Refuse it.

## What is at your desk

Your working folder is as you left it. Everything you were told about the task, and about how we work together, still applies.

## Your reply

End with one JSON object in a fenced block that begins with \`\`\`f7 (that tag instead of json). A block with this tag is the one that counts.
`);
});

test("a resumed auditor's prompt says nothing of a desk, and names a lost turn", () => {
  const task = story("a").task("a");
  const prompt = continuationPrompt({
    task,
    role: "auditor",
    isDeskKept: false,
    fenceTag: "f7",
    hasTools: false,
  });
  expect(prompt).toMatch(/^# Go on judging this task: Make a\n/);
  expect(prompt).toContain("Your last turn ended before you replied.");
  expect(prompt).not.toContain("desk");
});

test("a resumed conversation gets its tools again, because its program may have dropped them", () => {
  const task = story("a").works("a").replies("a").task("a");
  const parts = { task, isDeskKept: true, fenceTag: "f7" };
  const told = (role: "developer" | "auditor") => continuationPrompt({ ...parts, role, hasTools: true });
  expect(told("developer")).toMatch(/propose_operations .*submit_reply/);
  expect(told("auditor")).toMatch(/submit_reply for your judgement/);
  expect(told("auditor")).not.toContain("propose_operations");
});

test("only an agent whose edits are recorded as operations is told so in its prompt", () => {
  const parts = {
    task: story("a").task("a"),
    plan: { title: "P", overview: "" },
    brief: { text: "Do it.", criteria: [] },
    ...{ contract: "", instructions: "", fenceTag: "f7", hasTools: false, upstream: [] },
    ...{ isDeskKept: false, isProposal: true },
  };
  const told = developerPrompt({ ...parts, takesEdits: true });
  for (const words of ["apply_patch", "rejected by the user", "only those count"])
    expect(told).toContain(words);
  expect(developerPrompt(parts)).not.toContain("apply_patch");
  expect(developerPrompt({ ...parts, isProposal: false, takesEdits: true })).not.toContain("apply_patch");
  const goesOn = { ...parts, role: "developer" as const, isDeskKept: true };
  expect(continuationPrompt({ ...goesOn, takesEdits: true })).toContain("make them again");
  expect(continuationPrompt(goesOn)).not.toContain("make them again");
});

test("an agent that starts on a failing base is told what failed there, quoted as program output", () => {
  const parts = {
    task: story("a").task("a"),
    plan: { title: "P", overview: "" },
    brief: { text: "Do it.", criteria: [] },
    ...{ contract: "", instructions: "", fenceTag: "f7", hasTools: false, upstream: [] },
    ...{ isDeskKept: false, isProposal: false },
  };
  const brokenBase = { base: "0123456789abcdef", why: "npm test: exit code 1\n# 3 failed" };
  const told = developerPrompt({ ...parts, brokenBase });
  expect(told).toContain("failed at the commit 0123456789ab, at which this run began, before any agent");
  expect(told).toContain("> npm test: exit code 1\n> # 3 failed");
  expect(developerPrompt(parts)).not.toContain("fails already");
});
