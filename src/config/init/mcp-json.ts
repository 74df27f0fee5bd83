/**
 * Adds our server to a project's `.mcp.json`, which other tools use too: one entry is added or replaced, and every other
 * byte stays, including comments and formatting.
 */
import { applySplices, lineEndOf } from "../../plan/edit/splice.ts";
import { oneLine } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { type JsonPlace, readJsonPlaces } from "../file/json-places.ts";

export const mcpJsonPath = ".mcp.json";
export const mcpServerName = "coxswain";

/** What `claude mcp add coxswain -- npx -y coxswain mcp` would write. */
export const mcpServer = { command: "npx", args: ["-y", "coxswain", "mcp"] } as const;

export type McpProposal =
  /** Also used if the file does not exist yet. */
  | { readonly do: "add"; readonly text: string }
  | { readonly do: "nothing" }
  /** There is a different entry with our name: only a person may replace it. */
  | { readonly do: "replace"; readonly text: string; readonly was: string }
  | { readonly problem: Problem };

/** `now` is the current text of the file; undefined if there is none. */
export function proposeMcp(now: string | undefined): McpProposal {
  if (now === undefined || now.trim() === "") return { do: "add", text: `${fresh}\n` };
  const root = readJsonPlaces(now);
  if (root?.kind !== "object") return unreadable("it is not a JSON object");
  const servers = root.members.find(({ key }) => key === "mcpServers")?.value;
  if (!servers) {
    const [end, one] = [lineEndOf(now), unit(now)];
    const value = `{${end}${one}${one}"${mcpServerName}": ${entryText(now, 2)}${end}${one}}`;
    return { do: "add", text: withMember(now, root, { key: "mcpServers", value, depth: 1 }) };
  }
  if (servers.kind !== "object") return unreadable("its mcpServers is not an object");
  const own = servers.members.find(({ key }) => key === mcpServerName)?.value;
  if (!own) {
    const member = { key: mcpServerName, value: entryText(now, 2), depth: 2 };
    return { do: "add", text: withMember(now, servers, member) };
  }
  const was = now.slice(own.at.start, own.at.end);
  if (isSame(was)) return { do: "nothing" };
  const text = applySplices(now, [{ ...own.at, text: entryText(now, 2) }]);
  return { do: "replace", text, was: oneLine(was.replace(/\s+/g, " "), 300) };
}

const fresh = JSON.stringify({ mcpServers: { [mcpServerName]: mcpServer } }, undefined, 2);

interface Member {
  readonly key: string;
  readonly value: string;
  /** The indentation level of its line. */
  readonly depth: number;
}

/** Adds it after everything else in the object, on its own line. */
function withMember(text: string, object: JsonPlace, { key, value, depth }: Member): string {
  const end = object.at.end - 1;
  const inside = text.slice(object.at.start + 1, end);
  const behind = object.at.start + 1 + inside.trimEnd().length;
  const last = object.members.at(-1)?.value.at.end;
  const needsComma =
    last !== undefined && !/^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*,/.test(text.slice(last, end));
  const line = `${lineEndOf(text)}${unit(text).repeat(depth)}"${key}": ${value}`;
  const close = inside.includes("\n") ? "" : `${lineEndOf(text)}${unit(text).repeat(depth - 1)}`;
  return applySplices(text, [
    ...(needsComma ? [{ start: last, end: last, text: "," }] : []),
    { start: behind, end: behind, text: `${line}${close}` },
  ]);
}

/** The indentation of one level in this file. */
function unit(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

function entryText(text: string, depth: number): string {
  const lines = JSON.stringify(mcpServer, undefined, unit(text)).split("\n");
  return lines.join(`${lineEndOf(text)}${unit(text).repeat(depth)}`);
}

/** Compares by meaning; `type` may be spelled out as its default. */
function isSame(written: string): boolean {
  try {
    const { type = "stdio", env = {}, ...entry } = JSON.parse(written);
    const same = { command: mcpServer.command, args: mcpServer.args };
    return (
      type === "stdio" &&
      Object.keys(env).length === 0 &&
      Object.keys(entry).length === 2 &&
      JSON.stringify({ command: entry.command, args: entry.args }) === JSON.stringify(same)
    );
  } catch {
    return false;
  }
}

function unreadable(why: string): McpProposal {
  const message = `${mcpJsonPath} is left as it is: ${why}`;
  const hint = `Fix it, or add below mcpServers yourself: "${mcpServerName}": ${JSON.stringify(mcpServer)}`;
  return { problem: { code: "MCP_JSON_UNREADABLE", path: mcpJsonPath, message, hint } };
}
