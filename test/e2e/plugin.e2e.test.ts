/**
 * The files that other programs read agree with each other and with the package: the Claude Code plugin and the MCP
 * registry entry.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { house } from "../tidy/tree.ts";
import { folderWith } from "./folder.ts";

const json = (path: string) => JSON.parse(readFileSync(join(house, path), "utf8"));
const manifest = json("package.json");
const plugin = json(".claude-plugin/plugin.json");
const hooks: Record<string, { matcher?: string; hooks: { command: string }[] }[]> =
  json("plugin/hooks.json").hooks;
const pages = [
  ...readdirSync(join(house, "plugin/skills")).map((name) => `plugin/skills/${name}/SKILL.md`),
  ...readdirSync(join(house, "plugin/agents")).map((name) => `plugin/agents/${name}`),
];

test("the MCP registry's entry names this package and version, and the package names the entry", () => {
  const server = json("server.json");
  expect(server.name).toBe(manifest.mcpName);
  expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(server.version).toBe(manifest.version);
  expect(server.packages).toMatchObject([
    {
      registryType: "npm",
      identifier: manifest.name,
      version: manifest.version,
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "mcp" }],
    },
  ]);
  for (const words of [server.title, server.description]) expect(words.length).toBeLessThanOrEqual(100);
  const known = [
    "$schema",
    "name",
    "title",
    "description",
    "version",
    "packages",
    "repository",
    "websiteUrl",
  ];
  expect(Object.keys(server).filter((key) => !known.includes(key))).toEqual([]);
});

test("the plugin has the package's version, and a marketplace lists it at its path", () => {
  expect(plugin).toMatchObject({ name: manifest.name, version: manifest.version, license: manifest.license });
  expect(json(".claude-plugin/marketplace.json").plugins).toMatchObject([
    { name: plugin.name, source: "./" },
  ]);
});

test("everything that the plugin names is there and shipped", () => {
  const named = [plugin.hooks, ...plugin.skills, ...plugin.agents];
  for (const path of named) expect(existsSync(join(house, path)), path).toBe(true);
  const program = "${" + "CLAUDE_PLUGIN_ROOT}/plugin/cox.mjs";
  expect(plugin.mcpServers.coxswain).toEqual({ command: "node", args: [program, "mcp"] });
  expect(manifest.files).toEqual(expect.arrayContaining([".claude-plugin", "plugin", "bin"]));
});

test("the plugin's hooks are exactly the three that cox answers", () => {
  const called = Object.entries(hooks).map(([event, [one]]) => [
    event,
    one?.matcher,
    / hook (\S+)$/.exec(one?.hooks[0]?.command ?? "")?.[1],
  ]);
  expect(called).toEqual([
    ["SessionStart", "compact|resume", "session-start"],
    ["PreCompact", undefined, "pre-compact"],
    ["Stop", undefined, "stop"],
  ]);
});

test.each(pages)(
  "the plugin's page %s has a name, says when to use it, and names only tools and commands that exist",
  (path) => {
    const text = readFileSync(join(house, path), "utf8");
    const [, name, description = ""] = /^---\nname: (\S+)\ndescription: (.*)\n---\n/.exec(text) ?? [];
    const file = path.split("/");
    expect(name).toBe(path.endsWith("SKILL.md") ? file.at(-2) : file.at(-1)?.replace(".md", ""));
    expect(description).toContain("Use ");
    expect(description.length).toBeLessThan(1024);
    for (const [tool = ""] of text.matchAll(/(?<=`)[a-z]+(?:_[a-z]+)+(?=`)/g)) expect(tools).toContain(tool);
    const commands = spawnSync(process.execPath, [join(house, "bin/cox.js"), "--help"], {
      encoding: "utf8",
    }).stdout;
    for (const [, command = ""] of text.matchAll(/`cox ([a-z]+)/g))
      expect(commands).toContain(`  ${command} `);
  },
);

const tools = [
  ...["coordinator", "subagent"].flatMap((one) => [
    `${one}_task`,
    `start_${one}_task`,
    `complete_${one}_task`,
  ]),
  ...[
    "view_document",
    "view_task",
    "browse_documents",
    "search_documents",
    "create_document",
    "delete_document",
  ],
  ...["apply_file_operations", "run_status", "answer_question", "confirm_operation"],
];

/** Runs a hook's exact command as Claude Code does: in a shell, with the plugin's folder in the environment. */
function call(event: string, { root, project, path }: { root: string; project: string; path?: string }) {
  return spawnSync("sh", ["-c", hooks[event]?.[0]?.hooks[0]?.command ?? ""], {
    cwd: "/",
    encoding: "utf8",
    input: JSON.stringify({ session_id: "s", cwd: project, source: "compact" }),
    env: { PATH: path ?? process.env.PATH, CLAUDE_PLUGIN_ROOT: root, CLAUDE_PROJECT_DIR: project },
  });
}

const active = "## Tasks\n\n### Build it\n- Status: in_progress\n- Main-Workflow: bug-hunt\n";
const list = {
  ".coxswain/coordinator/active.md": active,
  "bin/npx": "#!/bin/sh\necho no npm here >&2; exit 1\n",
};

test("the plugin of a built clone or an installed package shows the current task again", () => {
  const { status, stdout, stderr } = call("SessionStart", { root: house, project: folderWith(list) });
  expect([status, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout).hookSpecificOutput.additionalContext).toContain("Task in progress: Build it");
});

test("the plugin of an unbuilt clone uses the project's own Coxswain, or else says nothing", () => {
  const root = folderWith({});
  for (const name of ["plugin", ".claude-plugin", "bin", "package.json"])
    cpSync(join(house, name), join(root, name), { recursive: true });
  const project = folderWith(list);
  chmodSync(join(project, "bin/npx"), 0o755);
  const path = `${join(project, "bin")}:${dirname(process.execPath)}:/usr/bin:/bin`;
  for (const event of Object.keys(hooks))
    expect(call(event, { root, project, path })).toMatchObject({ status: 0, stdout: "", stderr: "" });

  mkdirSync(join(project, "node_modules"));
  symlinkSync(house, join(project, "node_modules/coxswain"));
  expect(call("SessionStart", { root, project, path }).stdout).toContain("Task in progress: Build it");
});
