/** Names the server of one turn; loaded only by `cox turn-server`, which every turn waits for. */
import { failureOf } from "./cli/failure.ts";
import type { TurnServerPorts } from "./cli/servers/turn-server.ts";
import { ServerLog } from "./mcp/server-log.ts";
import { serveTurn } from "./mcp/turn/turn-server.ts";
import { turnTools } from "./mcp/turn/turn-tools.ts";
import { packageVersion } from "./world/files/package-root.ts";

export function composeTurnServer(
  environment: Readonly<Record<string, string | undefined>>,
): TurnServerPorts {
  return {
    environment,
    serve: (turn, { files, input, signal, notice }) =>
      serveTurn(
        {
          tools: turnTools(turn, files),
          version: packageVersion(),
          log: new ServerLog(notice, () => performance.now()),
          problemOf: (thrown) => failureOf(thrown).problem,
        },
        { input, output: process.stdout, signal },
      ),
  };
}
