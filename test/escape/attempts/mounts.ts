/**
 * Undoing the mounts, or creating a namespace in which they do not exist. Nothing of the machine's own is mounted or
 * unmounted.
 */
import { spawnSync } from "node:child_process";
import { type Attempt, rootOnly } from "../attempt.ts";

const needs = ["unshare", "mount", "umount"];
const inNamespace = (commands: string) => `unshare --user --map-root-user --mount sh -c '${commands}'`;
const canMakeNamespaces = spawnSync("unshare", ["--user", "--map-root-user", "true"]).status === 0;

export const mounts: readonly Attempt[] = [
  reaches(
    "unmount the repository",
    'umount -l "$REPO"; echo "$MARK" > "$REPO/unmounted.txt"',
    "unmounted.txt",
  ),
  reaches(
    "remount the repository writable",
    'mount -o remount,bind,rw "$REPO"; mount -o remount,bind,rw "$HOME"; echo "$MARK" > "$REPO/remounted.txt"',
    "remounted.txt",
  ),
  reaches(
    "unmount the repository in a user namespace of its own",
    inNamespace('umount -l "$REPO"; umount -l "$HOME"; echo "$MARK" > "$REPO/nested-unmounted.txt"'),
    "nested-unmounted.txt",
  ),
  reaches(
    "remount the repository writable in a user namespace of its own",
    inNamespace('mount -o remount,bind,rw "$REPO"; echo "$MARK" > "$REPO/nested-remounted.txt"'),
    "nested-remounted.txt",
  ),
  reaches(
    "show the whole tree again at its scratch folder, without what is mounted over it",
    inNamespace(
      'mkdir -p "$SCRATCH/m"; mount --bind / "$SCRATCH/m" || mount --rbind / "$SCRATCH/m"; echo "$MARK" > "$SCRATCH/m$REPO/bound.txt"',
    ),
    "bound.txt",
  ),
  reaches(
    "unmount everything that lies over the originals in /proc/fs",
    inNamespace(
      'umount -l /proc/fs; umount -l /proc/fs; for at in "" /proc/fs; do echo "$MARK" > "$at$REPO/staged.txt"; done',
    ),
    "staged.txt",
  ),
  reaches(
    "make the scratch folder its root (pivot_root)",
    inNamespace(
      'mkdir -p "$SCRATCH/p"; mount --rbind / "$SCRATCH/p" && cd "$SCRATCH/p" && pivot_root . mnt && umount -l /mnt; echo "$MARK" > "$REPO/pivoted.txt"',
    ),
    "pivoted.txt",
    ["pivot_root"],
  ),
  reaches(
    "leave its root by a second chroot",
    `perl -e 'mkdir "$ENV{SCRATCH}/c"; if (chroot "$ENV{SCRATCH}/c") { chdir ".." for 1..99; chroot "." } open F, ">", "$ENV{REPO}/chroot.txt" and print F $ENV{MARK}'`,
    "chroot.txt",
    ["perl"],
  ),
  reaches(
    "lay an overlay over the repository that writes to it",
    inNamespace(
      'mkdir -p "$SCRATCH/o" "$SCRATCH/w" "$SCRATCH/l"; mount -t overlay -o "lowerdir=$SCRATCH/l,upperdir=$REPO,workdir=$REPO/../work-of-overlay,userxattr" none "$SCRATCH/o" && at="$SCRATCH/o" || at="$REPO"; echo "$MARK" > "$at/overlaid.txt"',
    ),
    "overlaid.txt",
  ),
  {
    ...reaches(
      "enter the mounts of the coordinator",
      'nsenter --target "$COORDINATOR" --mount sh -c \'echo "$0" > "$REPO/entered.txt"\' "$MARK"',
      "entered.txt",
      ["nsenter"],
    ),
    withoutSandbox: rootOnly,
  },
  {
    ...reaches(
      "enter the mounts of process 1",
      'nsenter --target 1 --user --mount --preserve-credentials sh -c \'umount -l "$REPO"; echo "$0" > "$REPO/entered-first.txt"\' "$MARK"',
      "entered-first.txt",
      ["nsenter"],
    ),
    withoutSandbox: { notTried: "process 1 is the machine's own" },
  },
  {
    name: "mount a /proc of its own, to change the kernel's settings",
    script: `unshare --user --map-root-user --mount --pid --fork sh -c 'mkdir -p "$SCRATCH/proc"; mount -t proc proc "$SCRATCH/proc" && : >> "$SCRATCH/proc/sys/kernel/core_pattern" && echo "$MARK"'`,
    evidence: { printed: "mark" },
    withoutSandbox: rootOnly,
    needs,
  },
  {
    name: "mount a /sys of its own, to change the kernel's settings",
    script: `unshare --user --map-root-user --mount --net sh -c 'mkdir -p "$SCRATCH/sys"; mount -t sysfs sysfs "$SCRATCH/sys" && : >> "$SCRATCH/sys/kernel/mm/ksm/run" && echo "$MARK"'`,
    evidence: { printed: "mark" },
    withoutSandbox: rootOnly,
    needs: [...needs, "/sys/kernel/mm/ksm/run"],
  },
  {
    name: "make a device file of a disk at the desk",
    script: 'mknod disk b 7 0 && exec 7<> disk && echo "$MARK"; rm -f disk',
    evidence: { printed: "mark" },
    withoutSandbox: rootOnly,
  },
];

function reaches(name: string, script: string, file: string, more: readonly string[] = []): Attempt {
  const withoutSandbox = canMakeNamespaces ? {} : { notTried: "this machine lets nobody make namespaces" };
  return { name, script, evidence: { marked: `$REPO/${file}` }, needs: [...needs, ...more], withoutSandbox };
}
