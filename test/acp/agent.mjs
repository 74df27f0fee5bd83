/**
 * An agent that speaks ACP and does what a file says: in any turn the same deeds, one after the other. It has the protocol's
 * own agent side, so that what it says is what agents say, and can also say what none should.
 *
 * Plain JavaScript, because it is started as a program by tests that run before anything is compiled.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const [, , file = ""] = process.argv;
const { deeds = [], manner = {} } = JSON.parse(readFileSync(file, "utf8"));
const { isMuteAt, failsAt, version = 1, capabilities = {}, session = {}, isDeaf = false, replay } = manner;
const sessionId = `session-${process.pid}`;
const tool = { toolCallId: "call-1", title: "Write a.txt", kind: "edit", status: "pending" };
let messages = 0;
let cancel = () => {};
const cancelled = new Promise((resolve) => {
  cancel = resolve;
});

/** All at once: what is said before a crash was said. */
function print(text) {
  for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(1, bytes));
}

function filled(text) {
  return text.replace(/\$(COX_[A-Z]+)/g, (_, name) => process.env[name]);
}

/** For tests to read: what it was asked, as it came. Tests whose sandbox forbids writing there read nothing. */
function remember(what) {
  try {
    appendFileSync(`${file}.heard`, `${JSON.stringify(what)}\n`);
  } catch (error) {
    if (error.code !== "EROFS") throw error;
  }
}

async function answered(method, params, answer) {
  remember({ method, params });
  if (isMuteAt === method) await new Promise(() => {});
  if (failsAt === method) throw new RequestError(-32_603, "Internal error", { details: "no such session" });
  return answer;
}

const never = () => new Promise(() => setInterval(() => {}, 1000));

async function act(deed, tell, client) {
  if (deed.say !== undefined) {
    messages += 1;
    const text = filled(deed.say).replace(/\n?$/, "\n");
    await tell({
      sessionUpdate: "agent_message_chunk",
      messageId: `m${messages}`,
      content: { type: "text", text },
    });
  }
  if (deed.tell) await tell(deed.tell);
  if (deed.print !== undefined) print(deed.print);
  if (deed.complain) writeSync(2, deed.complain);
  if (deed.write) {
    mkdirSync(dirname(deed.write.path), { recursive: true });
    writeFileSync(deed.write.path, filled(deed.write.content));
  }
  if (deed.ask) {
    const { options = offered, ...call } = deed.ask;
    const params = { sessionId, toolCall: { ...tool, ...call }, options };
    remember({ answer: await client.request(methods.client.session.requestPermission, params) });
  }
  if (deed.call) {
    const outcome = await client.request(deed.call.method, { sessionId, ...deed.call.params }).then(
      () => "done",
      ({ code }) => code,
    );
    remember({ outcome });
  }
  if (deed.flood)
    for (let left = deed.flood; left > 0; left -= 65_536) print(`${"~".repeat(1023)}\n`.repeat(64));
  if (deed.hang) await (isDeaf ? never() : Promise.race([cancelled, never()]));
  if (deed.exit !== undefined) process.exit(deed.exit);
  if (deed.crash) process.kill(process.pid, deed.crash);
  if (deed.crash) await never();
  if (deed.fail) throw new RequestError(deed.fail.code, deed.fail.message, deed.fail.data);
}

const offered = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
];

agent({ name: "scripted" })
  .onRequest(methods.agent.initialize, ({ params }) =>
    answered("initialize", params, { protocolVersion: version, agentCapabilities: capabilities }),
  )
  .onRequest(methods.agent.session.new, ({ params }) =>
    answered("session/new", params, { sessionId, ...session }),
  )
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const tell = (update) =>
      client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
    const piece = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "of old\n" } };
    if (replay) await tell(piece);
    // Some go on telling behind their answer.
    if (replay) setTimeout(() => void tell(piece), 50);
    return answered("session/load", params, {});
  })
  .onRequest(methods.agent.session.resume, ({ params }) => answered("session/resume", params, {}))
  .onRequest(methods.agent.session.setMode, ({ params }) => answered("session/set_mode", params, {}))
  .onRequest(methods.agent.session.setConfigOption, ({ params }) =>
    answered("session/set_config_option", params, { configOptions: [] }),
  )
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    remember({ method: "session/cancel", params });
    if (!isDeaf) cancel("cancelled");
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    remember({ method: "session/prompt", params });
    remember({ environment: process.env });
    const tell = (update) =>
      client.notify(methods.client.session.update, { sessionId: params.sessionId, update });
    for (const deed of deeds) {
      await act(deed, tell, client);
      if (deed.hang) return { stopReason: "cancelled" };
      if (deed.stop) return deed.stop;
    }
    return { stopReason: "end_turn" };
  })
  .connect(
    ndJsonStream(new WritableStream({ write: (bytes) => print(bytes) }), Readable.toWeb(process.stdin)),
  );

if (manner.staysBehind) setInterval(() => {}, 1000);
