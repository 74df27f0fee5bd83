import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, type TestContext, test } from "vitest";
import { decodeUtf8, encodeUtf8 } from "../../std/utf8.ts";
import { pause } from "../time/pause.ts";
import { namedStreams } from "./named-streams.ts";
import { nodeProcesses } from "./node-processes.ts";
import type { Confinement, ProcessEnd, ProcessHandle, Program } from "./processes.ts";

let folder: string;
let sleep: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cox-processes-")));
  // A duration that nobody else sleeps, so that we can find the process in the table.
  sleep = `sleep 1000.${Math.trunc(Math.random() * 1e9)}`;
  mkdirSync(join(folder, "guarded/open"), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const freedoms: [string, () => Partial<Program>][] = [
  ["free", () => ({})],
  ["confined", () => ({ confinement: guarded() })],
];

describe.each(freedoms)("a program that is %s", (_, more) => {
  test("is reported with what it printed and how it exited", async () => {
    const ended = await run("echo out; echo err >&2; exit 7", more());
    expect(ended.how).toEqual({ kind: "exited", code: 7 });
    expect(printed(ended)).toEqual({ stdout: "out\n", stderr: "err\n" });
    expect([ended.stdoutBytes, ended.stderrBytes, ended.escaped]).toEqual([4, 4, []]);
  });

  test("and dies of a signal is reported with the signal's name, and nothing is added to its stderr", async () => {
    const ended = await run("kill -SEGV $$", more());
    expect(ended.how).toEqual({ kind: "signalled", signal: "SIGSEGV" });
    expect(printed(ended).stderr).toBe("");
  });

  test("PROC-01 and floods is ended, and what is kept of it is bounded", async () => {
    const ended = await run("exec yes", { ...more(), keepBytes: 1000, bytesMax: 1_000_000 });
    expect(ended.how).toEqual({ kind: "output-limit" });
    expect(ended.stdout.length).toBe(1000);
    expect(ended.stdoutBytes).toBeGreaterThan(1_000_000);
    expect(ended.stdoutBytes).toBeLessThan(3_000_000);
  });

  test("PROC-02 and never exits is ended with its children, with time to say goodbye", async () => {
    const begun = begin(`trap 'echo bye; exit 0' TERM; ${sleep} & echo ready; wait`, more());
    await begun.heard("ready");
    begun.running.cancel();
    begun.running.cancel();
    const ended = await begun.running.ended;
    expect(ended.how).toEqual({ kind: "cancelled" });
    expect(printed(ended).stdout).toBe("ready\nbye\n");
    expect(alive(sleep)).toEqual([]);
  });

  test("and ignores SIGTERM is killed after the grace", async () => {
    const begun = begin(`trap '' TERM; echo ready; ${sleep}; ${sleep}`, { ...more(), graceMs: 150 });
    await begun.heard("ready");
    begun.running.cancel();
    expect((await begun.running.ended).how).toEqual({ kind: "cancelled" });
    expect(alive(sleep)).toEqual([]);
  });

  test("and is cancelled before it has begun is ended", async () => {
    const begun = begin(`${sleep}`, more());
    begun.running.cancel();
    expect((await begun.running.ended).how).toEqual({ kind: "cancelled" });
    expect(alive(sleep)).toEqual([]);
  });

  test("PROC-04 and leaves a grandchild with its stdout ends, and the grandchild with it", async () => {
    const ended = await run(`${sleep} & echo done`, more());
    expect(ended.how).toEqual({ kind: "exited", code: 0 });
    expect(printed(ended).stdout).toBe("done\n");
    expect(alive(sleep)).toEqual([]);
  });

  test("PROC-06 and closes its stdin early, or never reads it, is no failure", async () => {
    const input = new Uint8Array(5_000_000);
    for (const script of ["exec <&-; echo closed", "true", "head -c 1 > /dev/null"]) {
      expect((await run(script, { ...more(), input })).how).toEqual({ kind: "exited", code: 0 });
    }
  });

  test("gets its input whole, and then the end of it; without input it finds the end at once", async () => {
    const input = encodeUtf8("käse\n".repeat(100_000));
    expect(printed(await run("wc -c", { ...more(), input })).stdout.trim()).toBe(String(input.length));
    expect(printed(await run("wc -c", more())).stdout.trim()).toBe("0");
  });

  test("and is talked to hears what is written, answers at once, and finds the end when it comes", async () => {
    const { running, heard } = begin("while read -r word; do echo heard $word; done; echo end", {
      ...more(),
      isTalkedTo: true,
    });
    running.stdin?.write(encodeUtf8("one\n"));
    await heard("heard one\n");
    running.stdin?.write(encodeUtf8("two\nthr"));
    running.stdin?.write(encodeUtf8("ee\n"));
    await heard("heard three\n");
    running.stdin?.end();
    running.stdin?.write(encodeUtf8("late\n"));
    expect(printed(await running.ended).stdout).toBe("heard one\nheard two\nheard three\nend\n");
  });

  test("and is talked to without listening is no failure, nor is it when it has ended", async () => {
    const { running, heard } = begin("exec <&-; echo deaf", { ...more(), isTalkedTo: true });
    await heard("deaf");
    running.stdin?.write(new Uint8Array(1_000_000));
    expect((await running.ended).how).toEqual({ kind: "exited", code: 0 });
    running.stdin?.write(new Uint8Array(1_000_000));
    running.stdin?.end();
  });

  test("finds its streams by their names, as in any shell", async () => {
    const ended = await run("cat /dev/stdin > /dev/stdout; echo bad > /dev/stderr", {
      ...more(),
      input: encodeUtf8("good"),
    });
    expect(ended.how).toEqual({ kind: "exited", code: 0 });
    expect(printed(ended)).toEqual({ stdout: "good", stderr: "bad\n" });
  });

  test.each([
    ["nowhere", "ENOENT"],
    ["./missing", "ENOENT"],
    ["./plain", "EACCES"],
    ["./guarded", "EISDIR"],
    ["./plain/below", "ENOTDIR"],
    ["", "ENOENT"],
  ])("PROC-10 and cannot be run (%j) is not started, and the reason is given", async (name, errno) => {
    writeFileSync(join(folder, "plain"), "#!/bin/sh\n", { mode: 0o644 });
    const running = nodeProcesses.start({ ...program("", more()), argv: [name] });
    const { how } = await running.ended;
    running.cancel();
    expect(running.identity).toBeUndefined();
    expect(how).toMatchObject({ kind: "not-started", errno });
    expect(how.kind === "not-started" && how.message).toMatch(/cannot be run: \w/);
  });

  test("and whose folder is missing is not started, and the folder is named", async () => {
    const away = join(folder, "away");
    const { how } = await run("true", { ...more(), folder: away });
    expect(how).toMatchObject({
      kind: "not-started",
      errno: "ENOENT",
      message: expect.stringContaining(away),
    });
  });

  test("and has an argument with a NUL is not started", async () => {
    const { how } = await run("echo \0", more());
    expect(how).toMatchObject({ kind: "not-started", errno: "EINVAL" });
  });

  test("has its arguments as they were given, and its folder", async () => {
    const argv: Program["argv"] = ["printf", "<%s>", "", "--", "$HOME\n", "a b", "käse"];
    const ended = await nodeProcesses.start({ ...program("", more()), argv }).ended;
    expect(printed(ended).stdout).toBe("<><--><$HOME\n><a b><käse>");
    expect(printed(await run("pwd -P", more())).stdout).toBe(`${folder}\n`);
  });

  test.each<[string, Record<string, string>]>([
    ["PROC-16", {}],
    ["PROC-17", { PWD: "/somewhere", OLDPWD: "/else", SHLVL: "41", _: "x" }],
  ])("%s has the environment it was given and the mark, nothing of ours", async (_row, given) => {
    const secret = {
      AWS_SECRET_ACCESS_KEY: "s",
      NODE_OPTIONS: "--no-warnings",
      LD_DEBUG_OUTPUT: "/dev/null",
    };
    Object.assign(process.env, secret);
    try {
      const environment = { PATH: "/usr/bin:/bin", GREETING: "good\nday", ...given };
      const ended = await nodeProcesses.start({ ...program("", more()), argv: ["env", "-0"], environment })
        .ended;
      const lines = printed(ended).stdout.split("\0").filter(Boolean);
      const expected = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
      expect(lines.filter((line) => !line.startsWith("COX_PROCESS=")).sort()).toEqual(expected.sort());
      expect(lines.length).toBe(expected.length + 1);
    } finally {
      for (const name of Object.keys(secret)) delete process.env[name];
    }
  });

  test("PROC-18 has no descriptor of ours, only its three and what whoever started us left open", async () => {
    const ours = openSync(join(folder, "ours"), "w");
    try {
      const has = printed(await run("ls /proc/$$/fd", more()))
        .stdout.trim()
        .split("\n");
      expect(has.slice(0, 3)).toEqual(["0", "1", "2"]);
      expect(has.slice(3).filter((fd) => !leftOpen().includes(fd))).toEqual([]);
      expect(leftOpen()).not.toContain(String(ours));
    } finally {
      closeSync(ours);
    }
  });

  test("is alive by its identity until it ends, and nobody else is it", async () => {
    const begun = begin(`echo ready; exec ${sleep}`, more());
    await begun.heard("ready");
    const { identity } = begun.running;
    if (!identity) throw new Error("it was started");
    expect(identity.started).toMatch(/^[0-9a-f-]{36}:[0-9]+$/);
    expect(nodeProcesses.isAlive(identity)).toBe(true);
    expect(nodeProcesses.isAlive({ ...identity, started: `${identity.started}0` })).toBe(false);
    begun.running.cancel();
    await begun.running.ended;
    expect(nodeProcesses.isAlive(identity)).toBe(false);
  });

  test("passes on all it prints, in order", async () => {
    let all = "";
    const ended = await run("seq 1 20000", {
      ...more(),
      keepBytes: 3,
      onOutput: (stream, bytes) => {
        all += stream + decodeUtf8(bytes);
      },
    });
    expect(ended.stdout.length).toBe(3);
    expect(all.replaceAll("stdout", "")).toBe(
      Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join(""),
    );
  });

  test("and was left behind by a coordinator is found by its mark, with all it started", async () => {
    const mark = { name: "COX_RUN", value: `r${Math.random()}` };
    const environment = { PATH: "/usr/bin:/bin", [mark.name]: mark.value };
    const begun = begin(`setsid ${sleep} & echo ready; wait`, { ...more(), environment });
    await begun.heard("ready");
    await untilAlive(sleep);
    expect(await nodeProcesses.endMarked({ name: mark.name, value: "r" })).toEqual([]);
    const ended = await nodeProcesses.endMarked(mark);
    expect(ended).toContain(begun.running.identity?.pid);
    expect(alive(sleep)).toEqual([]);
    await begun.running.ended;
  });

  test("and is known by its identity is ended with its group, unless the start is another", async () => {
    const mark = { name: "COX_RUN", value: "no such run" };
    const begun = begin(`${sleep} & echo ready; wait`, more());
    await begun.heard("ready");
    const { identity } = begun.running;
    if (!identity) throw new Error("it was started");
    expect(await nodeProcesses.endMarked(mark, [{ ...identity, started: "boot:1" }])).toEqual([]);
    expect(await nodeProcesses.endMarked(mark, [identity])).toContain(identity.pid);
    await begun.running.ended;
    expect(alive(sleep)).toEqual([]);
  });
});

test("PROC-05 a descendant in a session of its own is reported as escaped, and ended", async () => {
  const ended = await run(`(setsid ${sleep} & echo $! > pid); sleep 0.2; echo done`);
  expect(ended.how).toEqual({ kind: "exited", code: 0 });
  expect(ended.escaped).toEqual([Number(readFileSync(join(folder, "pid"), "utf8"))]);
  expect(alive(sleep)).toEqual([]);
});

test("PROC-05 an unreachable descendant that keeps the pipes open is waited for no longer than the grace", async () => {
  const ended = await run(`env -i /usr/bin/setsid ${sleep} & sleep 0.2; echo done`, { graceMs: 300 });
  expect(ended.how).toEqual({ kind: "exited", code: 0 });
  expect(printed(ended).stdout).toBe("done\n");
  for (const pid of alive(sleep)) process.kill(pid, "SIGKILL");
});

test("many programs at once each have streams of their own", async () => {
  const all = Array.from({ length: 20 }, (_, at) => run(`echo out ${at}; echo err ${at} >&2`));
  const heard = (await Promise.all(all)).map(printed);
  expect(heard).toEqual(heard.map((_, at) => ({ stdout: `out ${at}\n`, stderr: `err ${at}\n` })));
});

test("PROC-06 where no pipe can be made, sockets do, and early closed ones too", async () => {
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    useUpPipes();
    const input = new Uint8Array(5_000_000);
    for (const script of ["exec <&-; echo closed", "true", "head -c 1 > /dev/null"]) {
      expect((await run(script, { input })).how).toEqual({ kind: "exited", code: 0 });
    }
    expect(printed(await run("wc -c; echo err >&2", { input }))).toEqual({
      stdout: "5000000\n",
      stderr: "err\n",
    });
  } finally {
    process.env.PATH = PATH;
  }
});

test("in a read-only folder nothing is written, in a writable one inside it all is", async (context) => {
  writeFileSync(join(folder, "guarded/kept"), "as it was");
  const attempts = [
    "echo > guarded/new",
    "echo >> guarded/kept",
    "rm guarded/kept",
    "mv guarded away",
    "chmod 777 guarded",
    "mount -o remount,rw,bind $PWD/guarded",
    "umount -l $PWD/guarded",
    "unshare -Urm mount -o remount,rw,bind $PWD/guarded",
    "unshare -Urm umount $PWD/guarded",
    "cd guarded && echo > new",
    "echo > /proc/1/cwd$PWD/guarded/new",
    "nsenter --mount=/proc/1/ns/mnt true",
  ];
  const script = attempts.map((attempt) => `if (${attempt}); then echo ${quoted(attempt)}; fi`).join("\n");
  const ended = await runConfined(context, `${script}\necho > guarded/open/new`);
  expect(ended.how).toEqual({ kind: "exited", code: 0 });
  expect(printed(ended).stdout).toBe("");
  expect(readdirSync(join(folder, "guarded")).sort()).toEqual(["kept", "open"]);
  expect(readFileSync(join(folder, "guarded/kept"), "utf8")).toBe("as it was");
  expect(existsSync(join(folder, "guarded/open/new"))).toBe(true);
});

test("a confined program cannot write to its working folder if that is read-only", async (context) => {
  const confinement = { readOnly: [folder], writable: [] };
  const ended = await run("echo > new", { confinement });
  if (!ended.isConfined) context.skip("this machine lets no user confine a program");
  expect(ended.how).toEqual({ kind: "exited", code: 2 });
  expect(existsSync(join(folder, "new"))).toBe(false);
});

test("a confined program runs as the same user, with loopback and devices", async (context) => {
  const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const script = `id -u; id -g; echo x > /dev/null; head -c 4 /dev/urandom | wc -c
    bash -c 'cat < /dev/tcp/127.0.0.1/${port}'`;
  const ended = await runConfined(context, script);
  server.close();
  expect(printed(ended).stdout).toBe(`${process.getuid?.()}\n${process.getgid?.()}\n4\nhello`);
});

test("a confinement leaves out folders that do not exist, and still holds for the others", async (context) => {
  const confinement = {
    readOnly: [join(folder, "away"), join(folder, "guarded")],
    writable: [join(folder, "no")],
  };
  const ended = await run("echo > guarded/new", { confinement });
  if (!ended.isConfined) context.skip("this machine lets no user confine a program");
  expect(ended.how).toEqual({ kind: "exited", code: 2 });
});

test("PROC-05 no process escapes from a namespace, not even without environment", async (context) => {
  const ended = await runConfined(context, `env -i /usr/bin/setsid ${sleep} & sleep 0.2; echo done`);
  expect(ended.how).toEqual({ kind: "exited", code: 0 });
  expect(alive(sleep)).toEqual([]);
});

/** Uses up the pipes that were made in advance. */
function useUpPipes(): void {
  for (let streams = namedStreams(); streams; streams = namedStreams()) {
    closeSync(streams.theirs.stdout);
    closeSync(streams.theirs.stderr);
    streams.stdout.destroy();
    streams.stderr.destroy();
  }
}

function quoted(words: string): string {
  return `'${words.replaceAll("'", "'\\''")}'`;
}

function guarded(): Confinement {
  return { readOnly: [join(folder, "guarded")], writable: [join(folder, "guarded/open")] };
}

function program(script: string, more: Partial<Program> = {}): Program {
  return {
    argv: ["sh", "-c", script],
    folder,
    environment: { PATH: "/usr/bin:/bin" },
    keepBytes: 64 * 1024,
    bytesMax: 64 * 1024 * 1024,
    graceMs: 5000,
    ...more,
  };
}

function run(script: string, more: Partial<Program> = {}): Promise<ProcessEnd> {
  return nodeProcesses.start(program(script, more)).ended;
}

async function runConfined(context: TestContext, script: string): Promise<ProcessEnd> {
  const ended = await run(script, { confinement: guarded() });
  if (!ended.isConfined) context.skip("this machine lets no user confine a program");
  return ended;
}

/** A running program, and a function that waits for its output. */
function begin(
  script: string,
  more: Partial<Program>,
): { running: ProcessHandle; heard(words: string): Promise<void> } {
  let said = "";
  const running = nodeProcesses.start(
    program(script, {
      ...more,
      onOutput: (_, bytes) => {
        said += decodeUtf8(bytes);
      },
    }),
  );
  return {
    running,
    async heard(words) {
      while (!said.includes(words)) await pause(5);
    },
  };
}

function printed({ stdout, stderr }: ProcessEnd): { stdout: string; stderr: string } {
  return { stdout: decodeUtf8(stdout), stderr: decodeUtf8(stderr) };
}

/** The pids of the processes with exactly this command. */
function alive(command: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8") === `${command.replaceAll(" ", "\0")}\0`;
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function untilAlive(command: string): Promise<void> {
  while (alive(command).length === 0) await pause(5);
}

/** Descriptors that we inherited without O_CLOEXEC. */
function leftOpen(): string[] {
  const closesOnExec = 0o2000000;
  return readdirSync("/proc/self/fdinfo").filter((fd) => {
    try {
      const flags = /flags:\s+([0-7]+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1] ?? "0";
      return (Number.parseInt(flags, 8) & closesOnExec) === 0;
    } catch {
      return false;
    }
  });
}
