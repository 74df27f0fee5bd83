/** Asking one of the user's daemons to do what the agent may not; and what processes share besides files. */
import { type Attempt, rootOnly } from "../attempt.ts";

const sharedNetwork = { by: "any", reason: "the network is shared, because agents need it" } as const;

export const sockets: readonly Attempt[] = [
  {
    ...connects("reach a socket in the home", "HOME_SOCKET"),
    notHeld: {
      by: "without layers",
      reason: "without layers the home is only read-only, and a socket can be used without writing",
    },
  },
  connects("reach a socket in the folder for temporary files", "TEMPORARY_SOCKET"),
  { ...connects("reach a socket in /run", "RUN_SOCKET"), withoutSandbox: rootOnly },
  {
    ...connects("reach a socket in the user's repository", "REPO_SOCKET"),
    notHeld: {
      by: "any",
      reason: "the repository is visible, read-only, and a socket can be used without writing",
    },
  },
  { ...connects("reach an abstract socket", "ABSTRACT_SOCKET"), notHeld: sharedNetwork },
  {
    name: "reach a server on the loopback address",
    script: `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$ENV{LOOPBACK_PORT}", Timeout => 5) or exit; print $s $ENV{MARK}; close $s'`,
    evidence: { heard: "LOOPBACK_PORT" },
    needs: ["perl"],
    notHeld: sharedNetwork,
  },
  {
    name: "have a tmux server of the user's run a command",
    script: 'tmux -S "$TMUX_SOCKET" run-shell "echo $MARK >> $LOOT"',
    evidence: { ran: [] },
    needs: ["tmux"],
  },
  {
    name: "write to the user's terminal",
    script: '[ -c "$TERMINAL" ] && echo "$MARK" > "$TERMINAL"',
    evidence: { marked: "$ROOT/typescript" },
    needs: ["script"],
  },
  {
    name: "remove a message queue of the user's",
    script: 'ipcrm -q "$QUEUE"',
    evidence: { ended: "QUEUE" },
    needs: ["ipcmk", "ipcrm"],
  },
  {
    name: "write to memory that processes share by name (/dev/shm)",
    script: 'echo "$MARK" > "/dev/shm/$PROBE"',
    evidence: { marked: "/dev/shm/$PROBE" },
  },
];

/** An abstract socket name begins with a zero byte, and some servers pad it with more of them. */
function connects(name: string, socket: string): Attempt {
  return {
    name,
    script: `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0); (my $at = $ENV{${socket}}) =~ s/^@/\\0/; alarm 5; connect($s, pack_sockaddr_un($at)) or connect($s, pack("Sa108", AF_UNIX, $at)) or exit; syswrite $s, $ENV{MARK}; close $s'`,
    evidence: { heard: socket },
    needs: ["perl"],
  };
}
