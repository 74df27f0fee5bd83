import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { openFiles } from "../../world/files/choose-files.ts";
import { packageRoot } from "../../world/files/package-root.ts";
import { type ProfileOrigin, readProfile } from "./profile.ts";
import { loadProfiles, mergeProfiles } from "./profiles.ts";

const read = (text: string, origin: ProfileOrigin = "project", path = ".coxswain/agents/someone.md") =>
  readProfile({ text, origin, path });

test("a profile gives the agent's name and role, its tools and its instructions", () => {
  const text = `---
name: db-expert
description: Knows the database
tools: Read, Grep
model: opus
color: blue
x-cox:
  role: developer
  driver: claude-code
  timeout: 20 m
  capabilities: [sql, migrations]
  keywords: index, migration
  request_types: advice
---

You know the database.
`;
  expect(read(text)).toEqual({
    problems: expect.any(Array),
    profile: {
      name: "db-expert",
      origin: "project",
      path: ".coxswain/agents/someone.md",
      description: "Knows the database",
      tools: ["Read", "Grep"],
      model: "opus",
      role: "developer",
      driver: "claude-code",
      timeoutMs: 1_200_000,
      capabilities: ["sql", "migrations"],
      keywords: ["index", "migration"],
      requestTypes: ["advice"],
      instructions: "You know the database.",
      text,
    },
  });
});

test("a profile key without an effect yet is warned about at its line; keys with an effect are not", () => {
  const text =
    "---\nname: a\ndescription: b\ntools: Read\nmodel: opus\nx-cox:\n  role: auditor\n  driver: codex\n  timeout: 5 m\n  capabilities: [sql]\n  keywords: x\n  request_types: advice\n---\n";
  const told = ["project", "claude"] as const;
  for (const origin of told) {
    const { problems } = read(text, origin);
    expect(problems.map(({ code, severity, line }) => [code, severity, line])).toEqual([
      ["PROFILE_NO_EFFECT", "warning", 4],
      ["PROFILE_NO_EFFECT", "warning", 10],
      ["PROFILE_NO_EFFECT", "warning", 11],
      ["PROFILE_NO_EFFECT", "warning", 12],
    ]);
    expect(problems[1]?.message).toBe("capabilities has no effect yet: it does not choose an agent");
  }
});

test("a file without front matter is a developer of the file's name", () => {
  expect(read("Just do it.\n")).toMatchObject({
    problems: [],
    profile: { name: "someone", role: "developer", instructions: "Just do it." },
  });
});

test("the front matter of a Claude Code agent file is read as Claude Code reads it, even if it is no YAML", () => {
  const text = `---
name: reviewer
description: Use this agent when: you have written code. Examples: <example>user: "hi"</example>
model: inherit
---
You review.
`;
  const { profile, problems } = read(text, "claude", ".claude/agents/reviewer.md");
  expect(profile).toMatchObject({ name: "reviewer", instructions: "You review." });
  expect(profile.description).toMatch(/^Use this agent when: you have written/);
  expect(profile.model).toBeUndefined();
  expect(problems.map(({ severity }) => severity)).toEqual(problems.map(() => "warning"));
});

test.each<[string, string, string, number]>([
  ["no YAML", "---\nname: [a\n---\n", "PROFILE_BAD_YAML", 3],
  ["a name that is none", "---\nname: ../x\n---\n", "PROFILE_BAD_NAME", 2],
  ["x-cox as a word", "---\nx-cox: auditor\n---\n", "PROFILE_BAD_YAML", 2],
  ["a timeout that is none", "---\nx-cox:\n  timeout: soon\n---\n", "SCHEMA_RANGE", 3],
  ["an alias", "---\na: &a x\nmodel: *a\n---\n", "PROFILE_BAD_YAML", 3],
])("in a profile of the project, %s is refused at its line", (_what, text, code, line) => {
  expect(read(text).problems).toMatchObject([
    { code, line, severity: "blocking", path: ".coxswain/agents/someone.md" },
  ]);
});

test("an unknown profile key below x-cox is warned about; other programs' keys beside it are not", () => {
  expect(read("---\nhooks: {a: [b]}\nx-cox:\n  rolle: auditor\n---\n").problems).toMatchObject([
    { code: "PROFILE_UNKNOWN_KEY", severity: "warning", line: 4, hint: "Did you mean role?" },
  ]);
});

test("the project's profile wins over Claude Code's, and that over the shipped one", () => {
  const file = (origin: ProfileOrigin, text: string) => ({ origin, path: `${origin}/developer.md`, text });
  const shipped = file("shipped", "ours");
  const claude = file("claude", "theirs");
  const project = file("project", "yours");
  const told = (files: Parameters<typeof mergeProfiles>[0]) =>
    mergeProfiles(files).profiles.byName.get("developer")?.instructions;
  expect(told([shipped])).toBe("ours");
  expect(told([shipped, claude])).toBe("theirs");
  expect(told([shipped, claude, project])).toBe("yours");
});

test("of two profiles with one name in a folder, the first is read and the other is named", () => {
  const text = "---\nname: a\n---\n";
  const { problems } = mergeProfiles([
    { origin: "project", path: ".coxswain/agents/a.md", text },
    { origin: "project", path: ".coxswain/agents/b.md", text },
  ]);
  expect(problems).toMatchObject([{ code: "PROFILE_DUPLICATE", path: ".coxswain/agents/b.md" }]);
});

test("profiles are found in their three folders, and a project can have its own contract", () => {
  const root = folderWith({
    ".coxswain/agents/developer.md": "mine",
    ".coxswain/agents/contract.md": "my contract",
    ".coxswain/agents/notes.txt": "no profile",
    ".claude/agents/backend.md": "---\nname: backend\n---\nback",
  });
  symlinkSync("/etc/passwd", join(root, ".coxswain/agents/linked.md"));
  const { profiles, problems } = loadProfiles(openFiles(), { root, packageRoot: packageRoot() });
  expect([...profiles.byName.values()].map(({ name, origin }) => [name, origin]).sort()).toEqual([
    ["auditor", "shipped"],
    ["backend", "claude"],
    ["developer", "project"],
  ]);
  expect(profiles.contract.text).toBe("my contract");
  expect(problems).toMatchObject([{ severity: "warning", path: ".coxswain/agents/linked.md" }]);
});

test("the shipped profiles are sound, and their examples are valid replies", () => {
  const root = folderWith({});
  const { profiles, problems } = loadProfiles(openFiles(), { root, packageRoot: packageRoot() });
  expect(problems).toEqual([]);
  expect(profiles.byName.get("developer")).toMatchObject({ role: "developer", origin: "shipped" });
  expect(profiles.byName.get("auditor")).toMatchObject({ role: "auditor", origin: "shipped" });
  const examples = [profiles.contract.text, profiles.byName.get("auditor")?.instructions ?? ""].map((text) =>
    JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? ""),
  );
  expect(examples).toMatchObject([
    { file_operations: [{ operation: "edit" }], signal: "READY FOR AUDIT", notes: [{ status: "resolved" }] },
    { verdict: "PASS", findings: [{ severity: "advice" }], evidence: [{}] },
  ]);
  // A profile is not a plan, whatever its headings are.
  expect(parsePlan(profiles.contract.text).plan.tasks).toEqual([]);
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "cox-profiles-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
