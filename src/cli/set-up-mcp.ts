/**
 * `cox init` offers to connect agents: our server in the project's `.mcp.json`. The file belongs to others too, so it is
 * changed as a changeset, which `cox undo` takes back, and an entry of our name that says otherwise is a person's to
 * replace.
 */
import { defaultMode, type Image } from "../change/change.ts";
import { canonicalPath } from "../change/path.ts";
import { mcpPath, mcpServer, mcpServerName, proposeMcp } from "../config/mcp-json.ts";
import { assert } from "../std/assert.ts";
import type { Problem } from "../std/problem.ts";
import { decodeUtf8, encodeUtf8 } from "../std/utf8.ts";
import { sha256 } from "../world/hash.ts";
import { Tree, TreeError } from "../world/tree.ts";
import type { Door } from "./door.ts";
import { openChangesets } from "./open-changesets.ts";
import { yesOrNo } from "./yes-or-no.ts";

/** What became of it. */
export type McpSetUp = {
  readonly is: "there" | "added" | "replaced" | "declined" | "not-asked" | "left";
  /** Why it was left as it is. */
  readonly problem?: Problem;
};

/** Whether the command line says it; otherwise whoever is there is asked. */
export type McpWish = "yes" | "no" | "ask";

export async function setUpMcp(door: Door, root: string, wish: McpWish): Promise<McpSetUp> {
  if (wish === "no") return { is: "declined" };
  const before = readNow(door, root);
  if ("problem" in before) return { is: "left", problem: before.problem };
  const proposal = proposeMcp(before.text);
  if ("problem" in proposal) return { is: "left", problem: proposal.problem };
  if (proposal.do === "nothing") return { is: "there" };
  const question =
    proposal.do === "add"
      ? `Add the MCP server "${mcpServerName}" for your coding agents to ${mcpPath}?`
      : `${mcpPath} has another server "${mcpServerName}": ${proposal.was}\nReplace it by: ${commandLine}?`;
  const isSaid = wish === "yes" && proposal.do === "add";
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

function readNow({ files }: Door, root: string): Before | { readonly problem: Problem } {
  const tree = Tree.open(files, root);
  try {
    const read = tree.read(mcpPath, bytesMax);
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
  door: Door,
  root: string,
  { before: { image: pre }, text }: { before: Before; text: string },
): Promise<Problem | undefined> {
  const bytes = encodeUtf8(text);
  const post = { sha256: sha256(bytes), size: bytes.length, mode: pre?.mode ?? defaultMode };
  const canonical = canonicalPath(mcpPath, root);
  assert("path" in canonical, `${mcpPath} is a path`);
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
  path: mcpPath,
  message: `${mcpPath} is left as it is: it is not valid UTF-8 text`,
  hint: "Save it as UTF-8, then type again: cox init --mcp",
};

function differs(was: string): Problem {
  return {
    code: "MCP_ENTRY_DIFFERS",
    path: mcpPath,
    message: `${mcpPath} has another server "${mcpServerName}", which is left as it is: ${was}`,
    hint: `Replace it yourself by ${JSON.stringify(mcpServer)}, or run cox init --mcp in a terminal to be asked.`,
  };
}
