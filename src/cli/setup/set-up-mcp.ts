/**
 * `cox init` offers to connect agents by adding our server to the project's `.mcp.json`. Other tools use that file too,
 * so it is changed as a changeset, which `cox undo` can undo, and only a person may replace a different entry of our
 * name.
 */
import { defaultMode, type Image } from "../../change/change.ts";
import { canonicalPath } from "../../change/path.ts";
import { mcpJsonPath, mcpServer, mcpServerName, proposeMcp } from "../../config/init/mcp-json.ts";
import { assert } from "../../std/assert.ts";
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { sha256 } from "../../world/files/hash.ts";
import { Tree } from "../../world/folders/tree.ts";
import { TreeError } from "../../world/folders/tree-error.ts";
import type { CommandContext } from "../command-context.ts";
import { openChangesets } from "../reply/open-changesets.ts";
import { yesOrNo } from "../terminal/yes-or-no.ts";

/** The outcome. */
export type McpSetUp = {
  readonly is: "there" | "added" | "replaced" | "declined" | "not-asked" | "left";
  /** Why the file was left unchanged. */
  readonly problem?: Problem;
};

/** The choice on the command line. `ask` asks the person at the terminal. */
export type McpSetUpChoice = "yes" | "no" | "ask";

export async function setUpMcp(
  door: CommandContext,
  root: string,
  choice: McpSetUpChoice,
): Promise<McpSetUp> {
  if (choice === "no") return { is: "declined" };
  const before = readNow(door, root);
  if ("problem" in before) return { is: "left", problem: before.problem };
  const proposal = proposeMcp(before.text);
  if ("problem" in proposal) return { is: "left", problem: proposal.problem };
  if (proposal.do === "nothing") return { is: "there" };
  const question =
    proposal.do === "add"
      ? `Add the MCP server "${mcpServerName}" for your coding agents to ${mcpJsonPath}?`
      : `${mcpJsonPath} has another server "${mcpServerName}": ${proposal.was}\nReplace it with: ${commandLine}?`;
  const isSaid = choice === "yes" && proposal.do === "add";
  const answer = isSaid ? "yes" : await yesOrNo(door, { question });
  door.signal.throwIfAborted();
  if (answer !== "yes") {
    if (proposal.do === "add") return { is: answer === "no" ? "declined" : "not-asked" };
    return { is: "left", problem: differs(proposal.was) };
  }
  const problem = await write(door, root, { before, text: proposal.text });
  return problem ? { is: "left", problem } : { is: proposal.do === "add" ? "added" : "replaced" };
}

const commandLine = [mcpServer.command, ...mcpServer.args].join(" ");
const bytesMax = 1024 * 1024;

interface Before {
  readonly text?: string;
  readonly image?: Image;
}

function readNow({ files }: CommandContext, root: string): Before | { readonly problem: Problem } {
  const tree = Tree.open(files, root);
  try {
    const read = tree.read(mcpJsonPath, bytesMax);
    if (!read) return {};
    const { bytes, stat } = read;
    const text = decodeUtf8(bytes);
    if (text.includes("\ufffd")) return { problem: notText };
    return { text, image: { sha256: sha256(bytes), size: bytes.length, mode: stat.mode } };
  } catch (error) {
    if (error instanceof TreeError) return { problem: error.problem };
    throw error;
  } finally {
    tree.close();
  }
}

async function write(
  door: CommandContext,
  root: string,
  { before: { image: pre }, text }: { before: Before; text: string },
): Promise<Problem | undefined> {
  const bytes = encodeUtf8(text);
  const post = { sha256: sha256(bytes), size: bytes.length, mode: pre?.mode ?? defaultMode };
  const canonical = canonicalPath(mcpJsonPath, root);
  assert("path" in canonical, `${mcpJsonPath} is a path`);
  const { path } = canonical;
  const changesets = await openChangesets(door, root);
  try {
    const summary = `cox init: the MCP server ${mcpServerName} for coding agents`;
    const operation = pre ? "edit" : "create";
    const outcome = await changesets.apply(
      {
        id: changesets.newId(),
        changes: [{ path, ...(pre && { pre }), post }],
        contents: new Map([[post.sha256, bytes]]),
        about: {
          summary,
          operations: [
            { index: 0, operation, path, description: summary, bytes: post.size, sha256: post.sha256 },
          ],
        },
      },
      { signal: door.signal },
    );
    return outcome.outcome === "refused" ? outcome.problems[0] : undefined;
  } finally {
    changesets.close();
  }
}

const notText: Problem = {
  code: "MCP_JSON_UNREADABLE",
  path: mcpJsonPath,
  message: `${mcpJsonPath} was not changed: it is not valid UTF-8 text`,
  hint: "Save it as UTF-8, then type again: cox init --mcp",
};

function differs(was: string): Problem {
  return {
    code: "MCP_ENTRY_DIFFERS",
    path: mcpJsonPath,
    message: `${mcpJsonPath} already has a different server "${mcpServerName}", which was kept: ${was}`,
    hint: `Replace it yourself with ${JSON.stringify(mcpServer)}, or run cox init --mcp in a terminal to be asked.`,
  };
}
