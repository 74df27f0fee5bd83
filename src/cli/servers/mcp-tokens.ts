/** Finds the tokens that clients of `cox mcp --http` must send: from a file, from the environment, or newly made. */
import type { Problem } from "../../std/problem.ts";
import { decodeUtf8 } from "../../std/utf8.ts";
import type { CommandContext } from "../command-context.ts";
import { readInput } from "../reply/input.ts";
import type { McpPorts } from "./mcp-ports.ts";

export type FoundTokens =
  /** `made` is a new token, shown once to the user who starts the server. */
  { readonly tokens: readonly string[]; readonly made?: string } | { readonly problem: Problem };

export async function findTokens(
  door: CommandContext,
  { token: ofEnvironment, randomToken }: Pick<McpPorts, "token" | "randomToken">,
): Promise<FoundTokens> {
  const file = door.values.one("token-file");
  if (file !== undefined) {
    const hint = "Name a file that contains a token: openssl rand -hex 32 > FILE";
    const input = await readInput(file, door.stdin, door.signal, { what: "token", hint });
    if ("problem" in input) return input;
    return judged(decodeUtf8(input.bytes).split("\n"), `the file ${file}`);
  }
  if (ofEnvironment !== undefined) return judged([ofEnvironment], "COX_MCP_TOKEN");
  const made = randomToken();
  return { tokens: [made], made };
}

/** There may be one token per client. Their sessions are then kept apart. */
function judged(lines: readonly string[], where: string): FoundTokens {
  const tokens = lines.map((line) => line.trim()).filter((line) => line !== "");
  const isSound = tokens.length > 0 && tokens.every((token) => /^[!-~]{16,1000}$/.test(token));
  if (isSound) return { tokens };
  return {
    problem: {
      code: "TOKEN_UNFIT",
      message: `${where} contains no token, or one that is too easy to guess or cannot be sent`,
      hint: "Write a token of at least 16 characters on its own line: openssl rand -hex 32",
    },
  };
}
