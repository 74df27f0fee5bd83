/**
 * The machine itself, which root could change even from a namespace. Nothing is changed: each thing is only opened or
 * queried.
 */
import { type Attempt, rootOnly } from "../attempt.ts";

/** The system call numbers differ between architectures. */
const calls = process.arch === "arm64" ? { reboot: 142, setTime: 170 } : { reboot: 169, setTime: 164 };

export const machine: readonly Attempt[] = [
  opens("open the setting that names a program for crashes (core_pattern)", "/proc/sys/kernel/core_pattern"),
  opens("open /proc/sysrq-trigger", "/proc/sysrq-trigger"),
  opens("open a setting of the network in /sys", "/sys/class/net/lo/mtu"),
  {
    name: "open a disk to write",
    script:
      'for at in $(find /dev -maxdepth 1 -type b); do if (exec 7<> "$at") 2> /dev/null; then echo "$MARK"; break; fi; done',
    evidence: { printed: "mark" },
    withoutSandbox: rootOnly,
  },
  opens("open the kernel's log to write", "/dev/kmsg", "-c"),
  {
    name: "set the clock",
    // The time zone offset that the kernel has anyway.
    script: `perl -e 'my $zone = pack("ii", 0, 0); print "$ENV{MARK}\\n" if syscall(${calls.setTime}, 0, $zone) == 0'`,
    evidence: { printed: "mark" },
    needs: ["perl"],
    withoutSandbox: rootOnly,
  },
  {
    name: "restart the machine",
    // Uses wrong magic numbers: a process with the right to do it gets EINVAL, one without it gets EPERM.
    script: `perl -e 'syscall(${calls.reboot}, 0, 0, 0, 0); print "$ENV{MARK}\\n" if $! == 22'`,
    evidence: { printed: "mark" },
    needs: ["perl"],
    withoutSandbox: rootOnly,
  },
  {
    name: "name the machine",
    script: 'hostname "$(hostname)" && echo "$MARK"',
    evidence: { printed: "mark" },
    needs: ["hostname"],
    withoutSandbox: rootOnly,
  },
];

function opens(name: string, path: string, is = "-f"): Attempt {
  return {
    name,
    script: `[ ${is} ${path} ] && (: >> ${path}) && echo "$MARK"`,
    evidence: { printed: "mark" },
    needs: [path],
    withoutSandbox: rootOnly,
  };
}
