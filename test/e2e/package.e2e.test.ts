/** What users get: the packed package, installed outside the clone, on every Node we promise. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { house } from "../tidy/tree.ts";
import { nodeBinary, nodeVersions } from "./node-version.ts";
import { npm } from "./npm.ts";

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

const desk = mkdtempSync(join(tmpdir(), "cox-package-"));
const app = join(desk, "app");
const { version } = JSON.parse(readFileSync(join(house, "package.json"), "utf8"));
let packed: Packed;

beforeAll(() => {
  // The package contains what is in the folder, which must be built from these sources.
  const ready = spawnSync(process.execPath, [join(house, "scripts", "ready.mjs")], { encoding: "utf8" });
  expect(ready.status, ready.stderr).toBe(0);
  const pack = npm(["pack", "--json", "--pack-destination", desk], house);
  expect(pack.status, pack.stderr).toBe(0);
  packed = JSON.parse(pack.stdout)[0];
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{ "private": true }\n');
  const install = npm(["install", join(desk, packed.filename)], app);
  expect(install.status, install.stderr).toBe(0);
});

afterAll(() => rmSync(desk, { recursive: true, force: true }));

test("the package holds the program, its page and its licence", () => {
  const paths = packed.files.map(({ path }) => path);
  const needed = [
    "package.json",
    "README.md",
    "LICENSE",
    "bin/cox.js",
    "dist/cox/main.js",
    "dist/cox/cli/table/commands.js",
    "dist/cox/index.js",
    "dist/cox/types/index.d.ts",
    "dist/cox/LICENSES.txt",
    "profiles/contract.md",
    "templates/fix.md",
    ".claude-plugin/plugin.json",
    "plugin/hooks.json",
    "workflows/multi-option-tradeoff.md",
    "main-workflows/tdd-incremental-orchestration.md",
    "demo/till/plan.md",
    "demo/till/.coxswain/crew.yaml",
  ];
  expect(paths).toEqual(expect.arrayContaining(needed));
  expect(packed.files.find(({ path }) => path === "bin/cox.js")?.mode).toBe(0o755);
});

test("the package holds nothing else: no test, no source, no tool", () => {
  const expected =
    /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|bin\/cox\.js|dist\/cox\/([a-z0-9-]+\.js|cli\/table\/commands\.js|LICENSES\.txt|types\/([a-z-]+\/){0,2}[a-z-]+\.d\.ts)|(profiles|templates|workflows|main-workflows)\/[a-z-]+\.md|demo\/till\/.*\.(js|json|md|yaml)|\.claude-plugin\/(plugin|marketplace)\.json|plugin\/(cox\.mjs|hooks\.json|agents\/[a-z-]+\.md|skills\/[a-z-]+\/SKILL\.md))$/;
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !expected.test(path))).toEqual([]);
});

test("the package with all that it needs is under 1.2 MB, and 5 MB unpacked", () => {
  expect(packed.size).toBeLessThan(1_200_000);
  expect(packed.unpackedSize).toBeLessThan(5_000_000);
});

test("installing the package installs no other package", () => {
  const installed = readdirSync(join(app, "node_modules")).filter((name) => !name.startsWith("."));
  expect(installed).toEqual(["coxswain"]);
});

test("every package that is bundled is named, with its licence", () => {
  const bundle = join(app, "node_modules", "coxswain", "dist", "cox");
  const texts = readdirSync(bundle)
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(bundle, name), "utf8"));
  const headings = texts.flatMap((text) => [
    ...text.matchAll(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm),
  ]);
  const inside = new Set(headings.map(([, name]) => name));
  expect(inside).toContain("zod");
  const licences = readFileSync(join(bundle, "LICENSES.txt"), "utf8");
  const named = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)(, inside (\S+))?$/gm)];
  expect(named.filter(([, , carried]) => !carried).map(([, name]) => name)).toEqual([...inside].sort());
  // A package that was itself bundled contains others, and they have licences too.
  expect(named.map(([line]) => line)).toContainEqual(
    expect.stringMatching(/^ajv .* inside @modelcontextprotocol\/server$/),
  );
  const [, ...parts] = licences.split(/^-{80}$/m);
  expect(parts).toHaveLength(named.length);
  const granting = /Permission is hereby granted|Permission to use|Redistribution and use|Apache License/;
  for (const part of parts) expect(part).toMatch(granting);
});

test("the library's types are whole without any other package", () => {
  const compilerOptions = { noEmit: true, strict: true, module: "nodenext", target: "es2023", types: [] };
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["user.mts"] }));
  const user = `import { readReply, type Reply } from "coxswain";
    // @ts-expect-error: a type that was not found would allow anything
    export const wrong: number = readReply;
    export type Operations = Reply["operations"];\n`;
  writeFileSync(join(app, "user.mts"), user);
  const tsc = join(house, "node_modules", "typescript", "bin", "tsc");
  const checked = spawnSync(process.execPath, [tsc, "-p", "."], { cwd: app, encoding: "utf8" });
  expect(checked).toMatchObject({ stdout: "", status: 0 });
});

test.for(nodeVersions)(
  "on Node %s the installed program tells its version and its commands",
  (node, { skip }) => {
    const cox = installedOn(node, skip);
    expect(cox(["--version"])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
    const help = cox(["--help"]);
    expect(help).toMatchObject({ status: 0, stderr: "" });
    expect(help.stdout).toContain("apply");
  },
);

test.for(nodeVersions)("on Node %s the installed program applies a reply from stdin", (node, { skip }) => {
  const cox = installedOn(node, skip);
  const root = mkdtempSync(join(desk, "root-"));
  const reply = {
    specialist_summary: "A greeting was added.",
    file_operations: [
      {
        operation: "create",
        file_path: "hello.txt",
        description: "A greeting for the reader",
        content: "hello\n",
      },
    ],
  };
  const applied = cox(
    ["apply", "--root", root, "--json"],
    `Here it is:\n\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\`\n`,
  );
  expect(applied, applied.stderr + applied.stdout).toMatchObject({ status: 0 });
  expect(JSON.parse(applied.stdout)).toMatchObject({ ok: true });
  expect(readFileSync(join(root, "hello.txt"), "utf8")).toBe("hello\n");
});

test.for(nodeVersions)("on Node %s the installed package can be imported", (node, { skip }) => {
  const script = 'import("coxswain").then((names) => console.log(Object.keys(names).length > 0))';
  const imported = spawnSync(nodeOr(node, skip), ["-e", script], { cwd: app, encoding: "utf8" });
  expect(imported).toMatchObject({ status: 0, stdout: "true\n" });
});

/** The program as a shell would start it: by name, with that Node first in PATH. */
function installedOn(node: string, skip: Skip) {
  const path = [dirname(nodeOr(node, skip)), process.env.PATH].join(delimiter);
  return (args: readonly string[], input = "") =>
    spawnSync(join(app, "node_modules", ".bin", "cox"), args, {
      cwd: desk,
      input,
      encoding: "utf8",
      env: { ...process.env, PATH: path },
    });
}

type Skip = (reason: string) => never;

function nodeOr(version: string, skip: Skip): string {
  const binary = nodeBinary(version);
  return "path" in binary ? binary.path : skip(binary.missing);
}
