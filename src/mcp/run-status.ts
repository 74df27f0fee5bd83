/** How a run stands, as `cox status` says it: looks only. */
import { z } from "zod";
import { chooseRun } from "../runtime/choose-run.ts";
import { RunLook } from "../runtime/look-at-run.ts";
import { jsonText } from "../view/json-text.ts";
import { noPaint } from "../view/paint.ts";
import { statusDocument } from "../view/status.ts";
import { statusText } from "../view/status-text.ts";
import { tool } from "./tool.ts";

export const runStatus = tool({
  name: "run_status",
  group: "run",
  title: "Status of a run",
  description: "How a run of cox stands: tasks, agents, questions that wait for a person, cost.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    run: z.string().optional().describe("Any beginning of its name (default: the newest)"),
  }),
  output: z.looseObject({ run: z.string().nullable(), status: z.string(), alive: z.boolean() }),
  async call({ run }, { files, root, clock }) {
    const chosen = chooseRun(files, root, run);
    if ("problem" in chosen) return { problems: [chosen.problem] };
    const look = new RunLook(files, chosen.folder);
    try {
      while ((await look.read()).length > 0);
      const seen = look.seen(clock.now());
      const text = statusText(seen, { columns: 100, rows: 60, paint: noPaint, ascii: false });
      return { data: JSON.parse(jsonText(statusDocument(seen))), text };
    } finally {
      look.close();
    }
  },
});
