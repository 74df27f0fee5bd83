/** Writing, replacing and renaming the user's files, directly or by a detour. */
import { type Attempt, rootOnly, startedCarelessly, writes } from "../attempt.ts";

export const files: readonly Attempt[] = [
  writes("write a new file into the user's checkout", "$REPO/new.txt"),
  writes("write to a file of the checkout", "$REPO/written.txt"),
  {
    name: "replace a file of the checkout by another one",
    script: 'echo "$MARK" > replacement; mv -f replacement "$REPO/replaced.txt"',
    evidence: { marked: "$REPO/replaced.txt" },
  },
  {
    name: "remove a file of the checkout",
    script: 'rm -f "$REPO/removed.txt"',
    evidence: { gone: "$REPO/removed.txt" },
  },
  {
    name: "write to the checkout through a hard link at the desk",
    script: 'ln "$REPO/hard.txt" hard && echo "$MARK" >> hard; rm -f hard',
    evidence: { marked: "$REPO/hard.txt" },
  },
  {
    name: "write to the checkout through a symbolic link at the desk",
    script: 'ln -s "$REPO/soft.txt" soft; echo "$MARK" >> soft; rm -f soft',
    evidence: { marked: "$REPO/soft.txt" },
  },
  {
    name: "open a file to read, and open its descriptor again to write",
    script: 'exec 7< "$REPO/reopened.txt"; echo "$MARK" >> /proc/self/fd/7',
    evidence: { marked: "$REPO/reopened.txt" },
  },
  writes("write through /proc/self/root", "/proc/self/root$REPO/self-root.txt", {
    evidence: { marked: "$REPO/self-root.txt" },
  }),
  writes("write through the root of process 1", "/proc/1/root$REPO/first-root.txt", {
    evidence: { marked: "$REPO/first-root.txt" },
    withoutSandbox: { notTried: "process 1 is the machine's own" },
  }),
  {
    name: "write through whatever process 1 has open",
    script:
      'for at in /proc/1/cwd /proc/1/fd/*; do echo "$MARK" > "$at/../../../../../../../../..$REPO/first-open.txt"; done',
    evidence: { marked: "$REPO/first-open.txt" },
    withoutSandbox: { notTried: "process 1 is the machine's own" },
  },
  writes("write through the root of the coordinator", "/proc/$COORDINATOR/root$REPO/our-root.txt", {
    evidence: { marked: "$REPO/our-root.txt" },
  }),
  writes("write through the working folder of a process of the user", "/proc/$VICTIM_FOLDER/cwd/cwd.txt", {
    evidence: { marked: "$REPO/cwd.txt" },
  }),
  writes("write to a file that a process of the user has open", "/proc/$VICTIM_FILE/fd/7", {
    script: 'echo "$MARK" >> "/proc/$VICTIM_FILE/fd/7"',
    evidence: { marked: "$REPO/open.txt" },
  }),
  {
    name: "overwrite a program through /proc/PID/exe",
    // A new process still runs its parent's program until it executes its own.
    script:
      '"$TOOL" 1 & for i in 1 2 3 4 5 6 7 8 9; do [ "$(readlink "/proc/$!/exe")" = "$TOOL" ] && break; sleep 0.05; done; exec 7< "/proc/$!/exe"; wait; [ "$(readlink /proc/self/fd/7)" = "$TOOL" ] && echo "$MARK" >> /proc/self/fd/7',
    evidence: { marked: "$TOOL" },
  },
  writes("write to a folder that our own parent left open", "/proc/self/fd/$LEFT_OPEN/left-open.txt", {
    script: 'echo "$MARK" > "/proc/self/fd/$LEFT_OPEN/left-open.txt"',
    evidence: { marked: "$REPO/left-open.txt" },
    withoutSandbox: {
      ordinary: "programs are started with their own descriptors only",
      root: "programs are started with their own descriptors only",
    },
    control: startedCarelessly,
  }),
  writes("write to another repository of the user", "$OTHER_REPO/README.md"),
  writes("write to a folder of the user outside the home", "$ROOT/outside/planted.txt"),
  writes("write a new file into the home", "$HOME/planted.txt"),
  writes("write to /etc/profile.d, for every login", "/etc/profile.d/$PROBE.sh", {
    withoutSandbox: rootOnly,
  }),
  writes("write to /usr/local/bin, for every user", "/usr/local/bin/$PROBE", { withoutSandbox: rootOnly }),
  {
    name: "write to the user's checkout as another process of a new session",
    script: 'setsid -w sh -c \'echo "$0" > "$REPO/session.txt"\' "$MARK"',
    evidence: { marked: "$REPO/session.txt" },
  },
  renames("rename the cache folder, above all desks", "$HOME/.cache"),
  renames("rename the folder above what is trusted", "$HOME/.local/state"),
  renames("rename the folder above the user's repository", "$ABOVE"),
  renames("rename the configuration folder of the home", "$HOME/.config"),
  renames("rename the folder of ssh", "$HOME/.ssh"),
];

/** Leaves a link to what was there, so that everybody else still finds it. */
function renames(name: string, path: string): Attempt {
  const script = `mv "${path}" "${path}.old" && ln -s "${path}.old" "${path}"`;
  return { name, script, evidence: { linked: path }, isLast: true };
}
