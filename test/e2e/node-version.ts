/**
 * Another version of Node, to run the program on. The binary comes from npm packages that contain nothing else, and is
 * kept in the repository's `.cache` (about 200 MB each), so it is fetched once.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { house } from "../tidy/tree.ts";
import { npm } from "./npm.ts";

/** The oldest version we support and the two after it. Exact, so that a failure can be reproduced tomorrow. */
export const nodeVersions = ["20.20.2", "22.23.3", "24.21.0"];

export type NodeBinary = { readonly path: string } | { readonly missing: string };

/** The running Node is used for its own release line. */
export function nodeBinary(version: string): NodeBinary {
  const line = version.split(".")[0];
  if (process.versions.node.split(".")[0] === line) return { path: process.execPath };
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(house, ".cache", `node-${version}`);
  const path = join(folder, "node_modules", name, "bin", "node");
  if (answers(path, version)) return { path };
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const fetched = npm(
    ["install", "--no-save", "--ignore-scripts", "--prefix", folder, `${name}@${version}`],
    folder,
  );
  if (answers(path, version)) return { path };
  const reason = fetched.stderr.split("\n").find((text) => text.startsWith("npm error")) ?? "";
  return {
    missing: `Node ${version} could not be fetched as ${name}@${version}: ${reason || `npm ended with ${fetched.status}`}`,
  };
}

/** An interrupted fetch leaves a file that exists but does not run. */
function answers(path: string, version: string): boolean {
  return (
    existsSync(path) && spawnSync(path, ["--version"], { encoding: "utf8" }).stdout?.trim() === `v${version}`
  );
}
