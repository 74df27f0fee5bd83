/**
 * The MCP filesystem server, which is how most agents write files today: one `write_file` call per file. It syncs
 * nothing.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { FileSet } from "../file-set.ts";
import { atOnce } from "./at-once.ts";
import { StdioServer } from "./stdio-server.ts";

export class ToolServer {
  private constructor(
    private readonly server: StdioServer,
    private readonly root: string,
  ) {}

  static async start(root: string): Promise<ToolServer> {
    const manifest = createRequire(import.meta.url).resolve(
      "@modelcontextprotocol/server-filesystem/package.json",
    );
    const args = [join(dirname(manifest), "dist", "index.js"), root];
    return new ToolServer(await StdioServer.start({ args, folder: root }), root);
  }

  /** `pipelined`: how many calls are sent before the first answer. */
  async write({ files }: FileSet, pipelined: number): Promise<void> {
    await atOnce(pipelined, files, async ({ path, bytes }) => {
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");
      await this.server.call("write_file", { path: join(this.root, path), content });
    });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}
