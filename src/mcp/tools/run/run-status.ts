/** Shows the status of a run, as `cox status` does. Read-only. */
import { z } from "zod";
import { RunLook } from "../../../runtime/look-at-run.ts";
import { chooseRun } from "../../../runtime/start/choose-run.ts";
import { statusDocument } from "../../../view/status/status.ts";
import { statusText } from "../../../view/status/status-text.ts";
import { problemDocument } from "../../../view/text/document.ts";
import { jsonText } from "../../../view/text/json-text.ts";
import { noPaint } from "../../../view/text/paint.ts";
import { problemsText } from "../../../view/text/problems.ts";
import { tool } from "../../tool.ts";

export const runStatus = tool({
  name: "run_status",
  group: "run",
  title: "Status of a run",
  description: "Status of a run of cox: tasks, agents, questions waiting for a person, cost.",
  does: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    run: z.string().optional().describe("Any unique start of its name (default: the newest)"),
  }),
  output: z.looseObject({ run: z.string().nullable(), status: z.string(), alive: z.boolean() }),
  async call({ run }, { files, root, clock }) {
    const chosen = chooseRun(files, root, run);
    if ("problem" in chosen) return { problems: [chosen.problem] };
    const look = new RunLook(files, chosen.folder);
    try {
      await look.read();
      const { damage, warnings } = look;
      const seen = look.seen(clock.now());
      const status = statusText(seen, { columns: 100, rows: 60, paint: noPaint, ascii: false });
      return {
        data: JSON.parse(jsonText({ ...statusDocument(seen), warnings: warnings.map(problemDocument) })),
        text: `${problemsText(warnings, "warning", noPaint)}${status}`,
        ...(damage && { errors: [damage] }),
      };
    } finally {
      look.close();
    }
  },
});
