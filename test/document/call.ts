/** Calls a tool as the server does, its arguments checked first, and takes its answer apart. */
import type { z } from "zod";
import { SeenDocuments } from "../../src/document/seen-documents.ts";
import type { DocumentStore } from "../../src/document/store.ts";
import type { Tool, ToolContext } from "../../src/mcp/tool.ts";
import { author } from "./small-store.ts";

export interface Called {
  readonly data?: Record<string, unknown>;
  readonly text: string;
  readonly codes: readonly string[];
}

export async function call<In extends z.ZodType, Out extends z.ZodType>(
  tool: Tool<In, Out>,
  given: z.input<In>,
  store: DocumentStore,
  seen = new SeenDocuments(),
): Promise<Called> {
  const context: Partial<ToolContext> = {
    store,
    seen,
    author,
    workflows: { list: () => [], find: () => ({ problem: { code: "NONE", message: "none", hint: "none" } }) },
    root: "/nowhere",
    signal: new AbortController().signal,
  };
  // A tool of documents looks at nothing else.
  const answer = await tool.call(tool.input.parse(given), context as ToolContext);
  if ("problems" in answer) {
    const text = answer.problems.map(({ message, hint }) => `${message}\n${hint}`).join("\n");
    return { text, codes: answer.problems.map(({ code }) => code) };
  }
  return { data: tool.output.parse(answer.data) as Record<string, unknown>, text: answer.text, codes: [] };
}
