/**
 * What the clients are connected to: the MCP server and the plugin of this package. Where one of them is not there
 * yet, what stands in for it.
 */
import { existsSync } from "node:fs";
import { commands } from "../../src/cli/commands.ts";
import { house } from "../tidy/tree.ts";

const isServed = commands.some(({ name }) => name === "mcp");
const hasPlugin = existsSync(`${house}.claude-plugin/plugin.json`);

export const taskServer = {
  command: process.execPath,
  args: isServed ? [`${house}bin/cox.js`, "mcp"] : [`${house}dist/test/clients/stand-in/server.js`],
};

export const plugin = {
  folder: hasPlugin ? house : `${house}test/clients/stand-in/plugin`,
  /** What Claude Code puts before the names of its tools. */
  tools: "mcp__plugin_coxswain_coxswain",
};
