/** How a client starts the MCP server with the task tools. */
import { commands } from "../../src/cli/commands.ts";
import { house } from "../tidy/tree.ts";

const isOurs = commands.some(({ name }) => name === "mcp");

export const taskServer = {
  command: process.execPath,
  args: isOurs ? [`${house}bin/cox.js`, "mcp"] : [`${house}dist/test/clients/stand-in-server.js`],
};
