import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePlan } from "../../plan/read/parse.ts";
import { offeredSettingKeys, settingSpellings } from "../../plan/settings.ts";
import { packageRoot } from "../../world/files/package-root.ts";
import { readConfig } from "../file/read-config.ts";
import { defaultSettings } from "../settings/default-settings.ts";
import { initReads, proposeInit } from "./init.ts";

const init = (files: Readonly<Record<string, string>> = {}, plan?: string) =>
  proposeInit({ seen: new Map(Object.entries(files)), ...(plan === undefined ? {} : { plan }) });
const node = (test: string, more: object = {}) => JSON.stringify({ scripts: { test }, ...more });

test.each<[string, Readonly<Record<string, string>>, string | undefined, string | undefined]>([
  ["nothing", {}, undefined, undefined],
  ["npm", { "package.json": node("vitest"), "package-lock.json": "{}" }, "npm test", "npm ci"],
  [
    "npm without a lock file",
    { "package.json": node("vitest", { dependencies: { a: "1" } }) },
    "npm test",
    "npm install",
  ],
  ["npm without anything to install", { "package.json": node("node --test") }, "npm test", undefined],
  [
    "pnpm",
    { "package.json": node("vitest"), "pnpm-lock.yaml": "" },
    "pnpm test",
    "pnpm install --frozen-lockfile",
  ],
  [
    "yarn 1",
    { "package.json": node("jest"), "yarn.lock": "# yarn lockfile v1" },
    "yarn test",
    "yarn install --frozen-lockfile",
  ],
  [
    "yarn 4",
    { "package.json": node("jest"), "yarn.lock": "\n__metadata:\n  version: 8\n" },
    "yarn test",
    "yarn install --immutable",
  ],
  ["bun", { "package.json": node("x"), "bun.lock": "" }, "bun run test", "bun install --frozen-lockfile"],
  [
    "a named manager",
    { "package.json": node("x", { packageManager: "pnpm@9.1.0" }), "package-lock.json": "" },
    "pnpm test",
    "pnpm install",
  ],
  [
    "npm's placeholder",
    { "package.json": node('echo "Error: no test specified" && exit 1') },
    undefined,
    undefined,
  ],
  [
    "the placeholder and a Makefile",
    {
      "package.json": node('echo "Error: no test specified" && exit 1'),
      Makefile: "build:\n\ttrue\ntest: build\n",
    },
    "make test",
    undefined,
  ],
  ["a broken package.json", { "package.json": "{", "go.mod": "module x" }, "go test ./...", undefined],
  ["a package.json that is null", { "package.json": "null" }, undefined, undefined],
  ["Rust", { "Cargo.toml": "[package]" }, "cargo test", undefined],
  ["Go", { "go.mod": "module x" }, "go test ./...", undefined],
  ["Python with pytest", { "pyproject.toml": "[tool.pytest.ini_options]" }, "pytest", undefined],
  ["Python without", { "pyproject.toml": "[project]" }, undefined, undefined],
  ["pytest.ini", { "pytest.ini": "" }, "pytest", undefined],
  ["uv", { "pyproject.toml": 'dev = ["pytest"]', "uv.lock": "" }, "uv run pytest", "uv sync --frozen"],
  ["poetry", { "pyproject.toml": 'pytest = "^8"', "poetry.lock": "" }, "poetry run pytest", "poetry install"],
  ["a Makefile with several targets on a line", { Makefile: "lint test check:\n" }, "make test", undefined],
  [
    "a Makefile without the target",
    { Makefile: "test-all:\nTEST := x\ntest := y\n\ttest: no\n" },
    undefined,
    undefined,
  ],
])("in a project with %s, verify and setup are found", (_what, files, verify, setup) => {
  const { found, write } = init(files);
  expect([found.verify?.command, found.setup?.command]).toEqual([verify, setup]);
  const { config, problems } = readConfig(write[0]?.text ?? "");
  expect(problems).toEqual([]);
  expect(config.settings).toEqual({
    ...(verify === undefined ? {} : { verify: [verify] }),
    ...(setup === undefined ? {} : { setup: [setup] }),
  });
  for (const name of Object.keys(files)) expect(initReads).toContain(name);
});

const text = init().write[0]?.text ?? "";
const settings = [...text.matchAll(/^# ([a-z-]+): (.*?)(?: {2,}.*)?$/gm)].map(([, key, value]) => ({
  key,
  value,
}));

test("the configuration that init writes names every setting that can stand in it, and none without effect", () => {
  const named = settings.map(({ key }) => key);
  expect(named.toSorted()).toEqual(offeredSettingKeys.filter((key) => key !== "title").toSorted());
});

test("every commented default in the configuration that init writes is the real one, and works once the # is removed", () => {
  const inForce = settings.map(({ key, value }) => `${key}: ${value}`).join("\n");
  const { config, problems } = readConfig(inForce);
  expect(problems).toEqual([]);
  const offered = Object.entries(defaultSettings).filter(([name]) =>
    offeredSettingKeys.includes(settingSpellings.get(name) ?? ""),
  );
  expect(config.settings).toMatchObject(Object.fromEntries(offered));
});

test("the commented crew in the configuration that init writes is a valid crew", () => {
  const block = /^# agents:[\s\S]*?(?=\n\n)/m.exec(text)?.[0] ?? "";
  const { config, problems } = readConfig(block.replace(/^# /gm, ""));
  expect(problems).toEqual([]);
  expect([...config.agents.keys()]).toEqual(["dev", "tester"]);
  expect([...config.roles.keys()]).toEqual(["auditor"]);
});

test("init leaves existing files as they are, and names them", () => {
  const { write, kept } = init({ ".coxswain/config.yaml": "land: never\n", "plan.md": "" }, "a plan");
  expect(write.map(({ path }) => path)).toEqual([".coxswain/.gitignore"]);
  expect(kept).toEqual([".coxswain/config.yaml", "plan.md"]);
});

test("init writes no plan unless asked, and keeps runs and changesets out of git", () => {
  expect(init().write.map(({ path }) => path)).toEqual([".coxswain/config.yaml", ".coxswain/.gitignore"]);
  expect(init().write[1]?.text).toBe("runs/\nchangesets/\n");
  expect(init({}, "a plan").write[2]).toEqual({ path: "plan.md", text: "a plan" });
});

test("no line that init writes is longer than a terminal is wide", () => {
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(120);
});

test("each plan template is free of mistakes", () => {
  const folder = join(packageRoot(), "templates");
  for (const name of readdirSync(folder)) {
    const { plan, problems } = parsePlan(readFileSync(join(folder, name), "utf8"), {
      canVerify: true,
    });
    expect(problems, name).toEqual([]);
    expect(plan.tasks.length, name).toBeGreaterThan(1);
    expect(
      plan.tasks.every(({ success }) => success.length > 0),
      name,
    ).toBe(true);
  }
});
