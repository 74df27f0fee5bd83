/**
 * An app server as Codex has one, which does what a file says: in any turn the same deeds, one after the other. It can also
 * say what none should.
 *
 * Plain JavaScript, because it is started as a program by tests that run before anything is compiled.
 */
import { appendFileSync, readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , file = ""] = process.argv;
const { deeds = [], manner = {} } = JSON.parse(readFileSync(file, "utf8"));
const { isMuteAt, diesAt, failsAt = {}, isDeaf = false, begins = "" } = manner;
const threadId = manner.thread ?? `thread-${process.pid}`;
const turnId = "turn-1";
let asked = 0;
const answers = new Map();
let interrupt = () => {};
const interrupted = new Promise((resolve) => {
  interrupt = resolve;
});

/** All at once: what is said before a crash was said. */
function print(text) {
  for (let bytes = Buffer.from(text); bytes.length > 0; ) bytes = bytes.subarray(writeSync(1, bytes));
}

const send = (message) => print(`${JSON.stringify(message)}\n`);
const tell = (method, params) => send({ method, params: { threadId, turnId, ...params } });
const filled = (text) => text.replace(/\$(COX_[A-Z]+)/g, (_, name) => process.env[name]);
const never = () => new Promise(() => setInterval(() => {}, 1000));

/** For tests to read: what it was asked, as it came. Tests whose sandbox forbids writing there read nothing. */
function remember(what) {
  try {
    appendFileSync(`${file}.heard`, `${JSON.stringify(what)}\n`);
  } catch (error) {
    if (error.code !== "EROFS") throw error;
  }
}

function ask(method, params) {
  const id = `q${asked++}`;
  send({ id, method, params: { threadId, turnId, ...params } });
  return new Promise((resolve) => answers.set(id, resolve));
}

async function act(deed, at) {
  if (deed.say !== undefined) {
    const text = filled(deed.say).replace(/\n?$/, "\n");
    tell("item/completed", { item: { type: "agentMessage", id: `m${at}`, text } });
  }
  if (deed.tell) tell(deed.tell.method, deed.tell.params);
  if (deed.print !== undefined) print(deed.print);
  if (deed.complain) writeSync(2, deed.complain);
  if (deed.edit) {
    const itemId = `edit-${at}`;
    const item = { type: "fileChange", id: itemId, changes: deed.edit.map(inDesk), status: "inProgress" };
    tell("item/started", { item });
    remember({ answer: await ask("item/fileChange/requestApproval", { itemId }) });
    tell("item/completed", { item: { ...item, status: "declined" } });
  }
  if (deed.ask) remember({ answer: await ask(deed.ask.method, deed.ask.params) });
  if (deed.flood)
    for (let left = deed.flood; left > 0; left -= 65_536) print(`${"~".repeat(1023)}\n`.repeat(64));
  if (deed.hang) await (isDeaf ? never() : Promise.race([interrupted, never()]));
  if (deed.exit !== undefined) process.exit(deed.exit);
  if (deed.crash) process.kill(process.pid, deed.crash);
  if (deed.crash) await never();
}

/** It names files by their whole paths. */
function inDesk(change) {
  const whole = (path) => (path.startsWith("/") ? path : `${process.cwd()}/${path}`);
  const kind = change.kind?.move_path
    ? { ...change.kind, move_path: whole(change.kind.move_path) }
    : change.kind;
  return { ...change, path: whole(change.path), kind };
}

async function turn() {
  tell("turn/started", { turn: { id: turnId, status: "inProgress" } });
  for (const [at, deed] of deeds.entries()) {
    await act(deed, at);
    if (deed.end) return tell("turn/completed", { turn: { id: turnId, ...deed.end } });
    if (deed.hang)
      return tell("turn/completed", { turn: { id: turnId, status: "interrupted", error: null } });
  }
  tell("turn/completed", { turn: { id: turnId, status: "completed", error: null } });
}

const results = {
  initialize: { userAgent: "scripted" },
  "thread/start": { thread: { id: threadId } },
  "thread/resume": { thread: { id: threadId } },
  "turn/start": { turn: { id: turnId, status: "inProgress" } },
  "turn/interrupt": {},
};

print(begins);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) return answers.get(id)?.(result ?? error);
  remember({
    method,
    params,
    ...(method === "initialize" && { environment: process.env, argv: process.argv }),
  });
  if (method === diesAt) process.exit(manner.exit ?? 0);
  if (method === isMuteAt || id === undefined) return;
  if (failsAt[method]) return send({ id, error: { code: -32600, message: failsAt[method] } });
  send({ id, result: manner.results?.[method] ?? results[method] });
  if (method === "turn/interrupt") interrupt();
  if (method === "turn/start") void turn();
});
