/** What the clients are connected to: the MCP server and the plugin of this package. */
import { house } from "../tidy/tree.ts";

export const taskServer = { command: process.execPath, args: [`${house}bin/cox.js`, "mcp"] };

export const plugin = {
  folder: house,
  /** What Claude Code puts before the names of its tools. */
  tools: "mcp__plugin_coxswain_coxswain",
};
