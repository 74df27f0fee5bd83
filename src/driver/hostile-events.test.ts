import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../test/sized.ts";
import { appServerAnswer, refusedWords } from "./app-server/app-server-answers.ts";
import { AppServerEvents, turnTrouble } from "./app-server/app-server-events.ts";
import { TriedEdits } from "./app-server/tried-edits.ts";
import { clients } from "./programs/clients.ts";
import { RpcTalk } from "./rpc-talk.ts";

/** Values that a line of JSON can hold, including keys that have a meaning in our objects. */
const word = fc.constantFrom(
  "add",
  "update",
  "@@ -1 +1 @@\n-a\n+b\n",
  "completed",
  "failed",
  "constructor",
  "/desk/a",
);
const keys = fc.constantFrom(
  ...["type", "subtype", "item", "error", "usage", "message", "content", "text", "toString", "valueOf", "id"],
  ...["session_id", "thread_id", "sessionID", "part", "changes", "kind", "path", "diff", "move_path", "name"],
  ...[
    "status",
    "codexErrorInfo",
    "threadId",
    "turn",
    "tokenUsage",
    "total",
    "rateLimits",
    "primary",
    "stats",
  ],
);
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), fc.double({ noNaN: true }), fc.string(), word),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(keys, tie("json"), { maxKeys: 5 }),
  ),
}));
const event = fc.dictionary(keys, json, { maxKeys: 8 });

const types = fc.constantFrom(
  ...["system", "assistant", "user", "result", "stream_event", "rate_limit_event", "init", "tool_use"],
  ...["thread.started", "item.started", "item.completed", "turn.completed", "turn.failed", "error"],
  ...["message", "text", "step_start", "step_finish", "tool", "session", "tool_result", "reasoning"],
);

test.each(clients.map((client) => [client.title, client] as const))(
  "%s: no event makes its reader throw, whatever it holds",
  (_, client) => {
    const where = { desk: "/desk", resume: "s~1~2" };
    const property = fc.property(event, types, (one, type) => {
      expect(() => client.signalsOf({ ...one, type }, where)).not.toThrow();
    });
    fc.assert(property, { numRuns: sized({ sample: 400, campaign: 2_000 }) });
  },
);

const methods = fc.constantFrom(
  ...["item/started", "item/completed", "turn/started", "turn/completed", "thread/tokenUsage/updated"],
  ...["account/rateLimits/updated", "item/fileChange/requestApproval", "constructor", "__proto__"],
);

test("Codex's app server: no message makes its reader throw, whatever it holds", () => {
  const property = fc.property(event, methods, json, (params, method, id) => {
    const events = new AppServerEvents({ desk: "/desk", thread: "t", counters: [] });
    const edits = new TriedEdits({ folder: "/desk", read: () => new Uint8Array([97, 10]) });
    const talk = new RpcTalk({
      write: () => {},
      onNotification: (told, given) => events.signalsOf(told, { ...given, threadId: "t" }),
      onAsked: (asked, given) => {
        refusedWords(asked, given);
        return appServerAnswer(asked);
      },
      ...{ after: () => () => {}, answerMs: 1 },
    });
    expect(() => {
      talk.receive({ method, params });
      talk.receive({ method, params, id });
      talk.receive({ ...params, id });
      talk.receive(params);
      turnTrouble(params);
      edits.take([params, ...(Array.isArray(params.changes) ? params.changes : [])]);
    }).not.toThrow();
  });
  fc.assert(property, { numRuns: sized({ sample: 600, campaign: 3_000 }) });
});
