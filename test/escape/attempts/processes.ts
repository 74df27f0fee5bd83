/** Other processes of the user, including the coordinator; and processes meant to outlive the turn. */
import { existsSync, readFileSync } from "node:fs";
import { type Attempt, startedCarelessly } from "../attempt.ts";

/** The system call number differs between architectures. */
const ptrace = process.arch === "arm64" ? 117 : 101;
const ptraceAttach = (pid: string) =>
  `perl -e 'if (syscall(${ptrace}, 16, $ENV{${pid}} + 0, 0, 0) == 0) { waitpid($ENV{${pid}}, 0); syscall(${ptrace}, 17, $ENV{${pid}} + 0, 0, 0); print "$ENV{MARK}\\n" }'`;
const machinesOwn = { notTried: "process 1 is the machine's own" };
/** Many systems let only parents trace a process. */
const yama = "/proc/sys/kernel/yama/ptrace_scope";
const untraceable =
  existsSync(yama) && readFileSync(yama, "utf8").trim() !== "0"
    ? { withoutSandbox: { notTried: "this machine lets nobody trace a process that is not its child" } }
    : {};
const firstIsInside = {
  by: "bwrap",
  reason: "process 1 is in the sandbox too, and can do no more than the agent",
} as const;

export const processes: readonly Attempt[] = [
  {
    name: "kill a process of the user by its number",
    script: 'kill -KILL "$VICTIM_KILLED"',
    evidence: { ended: "VICTIM_KILLED" },
  },
  {
    name: "find a process of the user in /proc, and kill it",
    script:
      'for at in /proc/[0-9]*; do if tr "\\0" " " < "$at/cmdline" | grep -q "$VICTIM_NAME"; then kill -KILL "$(basename "$at")"; fi; done',
    evidence: { ended: "VICTIM_FOUND" },
  },
  { name: "signal the coordinator", script: 'kill -USR2 "$COORDINATOR"', evidence: { heard: "SIGUSR2" } },
  { name: "signal its parent", script: 'kill -WINCH "$PARENT"', evidence: { heard: "SIGWINCH" } },
  {
    name: "trace a process of the user (ptrace)",
    script: ptraceAttach("VICTIM_FILE"),
    evidence: { printed: "mark" },
    needs: ["perl"],
    ...untraceable,
  },
  {
    name: "open the memory of a process of the user to write",
    script: 'exec 7<> "/proc/$VICTIM_FILE/mem" && echo "$MARK"',
    evidence: { printed: "mark" },
    ...untraceable,
  },
  {
    name: "trace process 1 of its namespace (ptrace)",
    script: `FIRST=1; export FIRST; ${ptraceAttach("FIRST")}`,
    evidence: { printed: "mark" },
    needs: ["perl"],
    notHeld: firstIsInside,
    withoutSandbox: machinesOwn,
  },
  {
    name: "open the memory of process 1 of its namespace to write",
    script: 'exec 7<> /proc/1/mem && echo "$MARK"',
    evidence: { printed: "mark" },
    notHeld: firstIsInside,
    withoutSandbox: machinesOwn,
  },
  {
    name: "read the secrets of a process of the user",
    script: 'tr "\\0" "\\n" < "/proc/$VICTIM_FILE/environ" | sed -n "s/^COX_ESCAPE_SECRET=/$MARK/p"',
    evidence: { printed: "secret" },
  },
  {
    name: "read our secrets in its own environment",
    script: 'env | sed -n "s/^COX_ESCAPE_SECRET=/$MARK/p"',
    evidence: { printed: "secret" },
    withoutSandbox: {
      ordinary: "its environment is made for it",
      root: "its environment is made for it",
    },
    control: startedCarelessly,
  },
  {
    name: "change the priority of a process of the user",
    script: 'renice -n 19 -p "$VICTIM_FILE" && echo "$MARK"',
    evidence: { printed: "mark" },
    needs: ["renice"],
  },
  outlives(
    "leave a process in a session of its own (setsid)",
    'setsid sh -c "while :; do sleep 1; done" "$MARK" &',
  ),
  outlives(
    "leave a process by forking twice",
    '( ( setsid sh -c "while :; do sleep 1; done" "$MARK" & ) & )',
  ),
  outlives(
    "leave a process that hears no hang-up (nohup)",
    'nohup setsid sh -c "while :; do sleep 1; done" "$MARK" &',
  ),
  outlives(
    "leave a process that ignores being asked to end",
    'setsid sh -c \'trap "" TERM HUP INT; while :; do sleep 1; done\' "$MARK" &',
  ),
];

/** Started without the environment it was given, by which we would find it. */
function outlives(name: string, start: string): Attempt {
  const script = `env -i PATH="$PATH" MARK="$MARK" sh -c '${start.replaceAll("'", `'\\''`)}' > /dev/null 2>&1`;
  return { name, script, evidence: { running: true } };
}
