/**
 * Runs the program on its own terminal as the job of a small shell, and types or sends a signal when a text appears. It
 * uses python3, whose library has what Node's lacks.
 *
 * When the job stops, the shell takes the terminal back, prints `[stopped]` and waits for a line; then the job
 * continues.
 */
import { spawnSync } from "node:child_process";
import type { TestContext } from "vitest";
import { program } from "./program.ts";

/** What to do when the text appears, after that of the previous reaction. */
export interface Reaction {
  readonly when: string;
  /** A command that runs elsewhere first, to its end. */
  readonly run?: readonly string[];
  readonly type?: string;
  /** Waits until everything typed has been read before the next reaction. */
  readonly isRead?: true;
  readonly signal?: "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP";
  /** Creates an empty file at that path. */
  readonly create?: string;
}

/** The terminal's mode. Both are true when it is as a user's shell needs it. */
export interface TerminalSettings {
  readonly echo: boolean;
  readonly canonical: boolean;
}

const script = `
import fcntl, json, os, pty, select, signal, struct, subprocess, sys, termios, time
request = json.loads(sys.argv[1])
reactions = request["reactions"]
master, slave = pty.openpty()
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
heard, told = os.pipe()

def settings():
    flags = termios.tcgetattr(slave)[3]
    return {"echo": bool(flags & termios.ECHO), "canonical": bool(flags & termios.ICANON)}

def unread():
    raw = termios.tcgetattr(slave)
    raw[3] &= ~(termios.ICANON | termios.ECHO)
    raw[6][termios.VMIN] = raw[6][termios.VTIME] = 0
    termios.tcsetattr(slave, termios.TCSANOW, raw)
    text = b""
    while select.select([slave], [], [], 0.2)[0]:
        text += os.read(slave, 1000)
    return text.decode("utf-8", "replace")

# Keys travel for a moment before they can be read: empty counts when it was so again and again.
def wait_until_read():
    global output
    empty = 0
    for _ in range(1000):
        if select.select([master], [], [], 0.02)[0]:
            output += os.read(master, 65536)
        left = struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))[0]
        empty = empty + 1 if left == 0 else 0
        if empty == 25:
            return

def tell(**facts):
    os.write(told, (json.dumps(facts) + "\\n").encode())

def shell():
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for fd in (0, 1, 2):
        os.dup2(slave, fd)
    os.close(master)
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        if not request["background"]:
            os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.close(slave)
        os.close(told)
        os.close(heard)
        os.execvp(sys.argv[2], sys.argv[2:])
    tell(job=job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(status):
            break
        tell(stopped=settings())
        os.write(1, b"[stopped]\\n")
        os.read(0, 1000)
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)
    tell(ended=settings())
    until = time.monotonic() + 10
    while settings() != {"echo": True, "canonical": True} and time.monotonic() < until:
        time.sleep(0.02)
    tell(left=settings())
    tell(unread=unread())
    os._exit(os.waitstatus_to_exitcode(status) % 256)

os.write(master, request["ahead"].encode())
leader = os.fork()
if leader == 0:
    shell()
os.close(told)
output, searched, facts, job = b"", 0, b"", None
is_open, until = True, time.monotonic() + 100
while is_open or select.select([master], [], [], 0)[0]:
    ready, _, _ = select.select([master, heard] if is_open else [master], [], [], 1)
    # A question that nobody expected would be waited for until the end of days.
    if time.monotonic() > until and job is not None:
        until += 100
        os.killpg(job, signal.SIGKILL)
    if heard in ready:
        chunk = os.read(heard, 65536)
        facts += chunk
        is_open = chunk != b""
        if job is None and b"\\n" in facts:
            job = json.loads(facts.split(b"\\n")[0])["job"]
    if master in ready:
        output += os.read(master, 65536)
    while reactions and job is not None:
        found = output.find(reactions[0]["when"].encode(), searched)
        if found < 0:
            break
        reaction = reactions.pop(0)
        if "run" in reaction:
            subprocess.run(reaction["run"], check=True, stdin=subprocess.DEVNULL, capture_output=True)
        searched = found + len(reaction["when"].encode())
        if "type" in reaction:
            os.write(master, reaction["type"].encode())
        if "isRead" in reaction:
            wait_until_read()
        if "signal" in reaction:
            os.kill(job, getattr(signal, reaction["signal"]))
        if "create" in reaction:
            open(reaction["create"], "w").close()
_, status = os.waitpid(leader, 0)
known = [json.loads(line) for line in facts.splitlines()]
print(json.dumps({
    "exitCode": os.waitstatus_to_exitcode(status),
    "output": output.decode("utf-8", "replace"),
    "stopped": [one["stopped"] for one in known if "stopped" in one],
    "ended": next(one["ended"] for one in known if "ended" in one),
    "left": next(one["left"] for one in known if "left" in one),
    "unread": next(one["unread"] for one in known if "unread" in one),
    "unused": len(reactions),
}))
`;

const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;

export function needsPseudoTerminal(context: TestContext): void {
  if (!hasPython) context.skip("a pseudo-terminal is made with python3, which is not installed");
}

export interface OnTerminal {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Typed before the program is started. */
  readonly ahead?: string;
  /** Started as with `&`: the shell keeps the terminal until the job stops. */
  readonly background?: boolean;
  readonly reactions: readonly Reaction[];
}

export interface EndedOnTerminal {
  readonly exitCode: number;
  readonly output: string;
  /** The settings at each stop of the job. */
  readonly stopped: readonly TerminalSettings[];
  /** The settings when it ended, and a little later: when they were as a user needs them, or ten seconds had passed. */
  readonly ended: TerminalSettings;
  readonly left: TerminalSettings;
  /** The part of the typed input that the next reader of the terminal receives. */
  readonly unread: string;
  /** Reactions whose text did not appear. */
  readonly unused: number;
}

export function onTerminal(
  args: readonly string[],
  { cwd, env = process.env, ahead = "", background = false, reactions }: OnTerminal,
): EndedOnTerminal {
  const { CI: _ci, ...rest } = env;
  const request = JSON.stringify({ reactions, ahead, background });
  const argv = ["-c", script, request, process.execPath, program, ...args];
  const all = { ...rest, TERM: "xterm" };
  const ended = spawnSync("python3", argv, { cwd, env: all, encoding: "utf8", timeout: 120_000 });
  if (ended.status !== 0) throw new Error(`the pseudo-terminal ended with ${ended.status}: ${ended.stderr}`);
  return JSON.parse(ended.stdout) as EndedOnTerminal;
}
