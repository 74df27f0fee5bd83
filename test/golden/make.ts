/**
 * Makes a golden log: `npx tsc -p . && node dist/test/golden/make.js NAME` runs a small plan in which much happens, with the
 * real program, and keeps its log, its inputs and the state that follows from it in `test/golden/NAME`.
 *
 * A log that is kept is never made again: later versions must read it as it is. Numbers of processes, the user's name and
 * wall times are replaced, and the chain is written anew over what is left.
 */
import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FileJournal } from "../../src/journal/file-journal.ts";
import type { Event } from "../../src/kernel/event.ts";
import { toSnapshot } from "../../src/kernel/snapshot.ts";
import { nodeChance } from "../../src/world/chance.ts";
import { openFiles } from "../../src/world/files/choose-files.ts";
import { replay } from "./replay.ts";

const files: Readonly<Record<string, string>> = {
  "README.md": "Here.\n",
  "lines.txt": `top:\n${"line\n".repeat(20)}end:\n`,
  "old.txt": "old\n",
  ".coxswain/config.yaml": `agents:
  dev: { role: developer, driver: command, command: [sh, crew/dev.sh] }
  judge: { role: auditor, driver: command, command: [sh, crew/judge.sh] }
`,
  "crew/dev.sh": `cat > /dev/null
work() { echo "$COX_TASK" > "$COX_TASK.txt"; echo "Checkpoint: half way"; echo "Did $COX_TASK."; exit "$1"; }
mkdir "$HOME/$COX_TASK" 2> /dev/null || work 0
case $COX_TASK in
  repaired) printf '\`\`\`json %s\\n{"file_operations": [{"operation": "crate"}]}\\n\`\`\`\\n' "$COX_FENCE" ;;
  crashes) work 1 ;;
  asks) printf 'SEEKING DIVINE CLARIFICATION\\n\\nQuestion: Red or blue?\\nOptions:\\n- red\\n- blue\\n' ;;
  deletes) rm old.txt; work 0 ;;
  top | end) sed -i "s/^$COX_TASK:.*/$COX_TASK: done/" lines.txt; echo "Did it." ;;
  *) work 0 ;;
esac
`,
  "crew/judge.sh": `cat > /dev/null
if [ "$COX_TASK" = reworked ] && [ "$COX_ATTEMPT" = 1 ]; then
  echo "The file is too short."; echo "AUDIT FAILED - $COX_TASK"
else echo "AUDIT PASSED - $COX_TASK"; fi
`,
  "plan.md": `---
title: Much happens
verify: test -f README.md
active-developers: 3
confirm-deletes: ask
budget: 40 turns
---
## Tasks
- [ ] plain
- [ ] top
- [ ] end
- [ ] repaired
  - Needs: plain
- [ ] reworked
- [ ] crashes
- [ ] asks
- [ ] deletes
- [ ] last
  - Needs: repaired, reworked, crashes, asks, deletes
`,
};

const [name = "new"] = process.argv.slice(2);
const house = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "cox-golden-"));
try {
  const from = await makeRun(join(folder, "repository"));
  await keep(from, join(house, "test/golden", name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Answers with the run's folder. */
async function makeRun(root: string): Promise<string> {
  const { PATH = "" } = process.env;
  const home = join(folder, "home");
  mkdirSync(home);
  const places = { HOME: home, XDG_CACHE_HOME: join(home, "cache"), XDG_STATE_HOME: join(home, "state") };
  const who = { name: "Somebody", email: "somebody@example.com" };
  const env = { PATH, ...places, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const git = (...args: string[]) => must(spawnSync("git", args, { cwd: root, env }).status, 0, args);
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("-c", `user.name=${who.name}`, "-c", `user.email=${who.email}`, "commit", "-q", "-m", "begin");
  const cox = (status: number, ...args: string[]) => {
    const ended = spawnSync(process.execPath, [join(house, "bin/cox.js"), ...args], { cwd: root, env });
    must(ended.status, status, [...args, `${ended.stderr}`]);
  };
  // Killed once on its way, so that there is a second writer.
  const first = spawn(process.execPath, [join(house, "bin/cox.js"), "run", "plan.md", "--yes"], {
    cwd: root,
    env,
  });
  const runs = join(root, ".coxswain/runs");
  const log = () => {
    const [run] = existsSync(runs) ? readdirSync(runs).filter((one) => !one.startsWith(".")) : [];
    const path = join(runs, run ?? "", "events.jsonl");
    return run !== undefined && existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  while (!log().includes('"task_complete"')) await sleep(5);
  first.kill("SIGKILL");
  await sleep(200);
  cox(3, "resume", "--no-input");
  const question = (event: string) =>
    /"question":"(q\d+)"/.exec(log().split(`"${event}"`)[1] ?? "")?.[1] ?? "";
  cox(0, "answer", question("agent_seeks_guidance"), "blue");
  cox(0, "confirm", question("confirmation_requested"));
  cox(0, "resume");
  cox(0, "rollback", "last", "--yes");
  cox(0, "land", "--yes");
  const [run = ""] = readdirSync(runs).filter((one) => !one.startsWith("."));
  return join(runs, run);
}

function must(status: number | null, wanted: number, told: readonly string[]): void {
  if (status !== wanted) throw new Error(`ended with ${status}, not ${wanted}: ${told.join(" ")}`);
}

interface Line {
  readonly at: string;
  readonly t: number;
  readonly fence: number;
  readonly batch: readonly number[];
  readonly seq: number;
  readonly event: string;
  readonly data: unknown;
}

async function keep(from: string, to: string): Promise<void> {
  mkdirSync(to);
  for (const input of ["plan.md", "config.json"]) cpSync(join(from, input), join(to, input));
  const text = readFileSync(join(from, "events.jsonl"), "utf8").trimEnd();
  const lines = text.split("\n").map((line) => JSON.parse(line) as Line);
  let journal: FileJournal | undefined;
  let fence = 0;
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] as Line;
    const batch = lines.filter(({ batch: [begin] }) => begin === first.batch[0]);
    if (first.fence !== fence) {
      await journal?.close();
      journal = FileJournal.open({ files: openFiles(), chance: nodeChance, folder: to });
      fence = first.fence;
    }
    const events = batch.map(({ event, data }) => ({ event, data: scrubbed(data) }) as Event);
    journal?.append(events, { at: Date.UTC(2026, 0, 1) + first.t, time: first.t });
    at += batch.length;
  }
  await journal?.close();
  rmSync(join(to, "lock"), { force: true });
  writeFileSync(join(to, "state.json"), `${JSON.stringify(toSnapshot(await replay(to)), null, 1)}\n`);
}

/** What tells of the machine or the moment. */
function scrubbed(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) => {
      if (key === "pid") return 1;
      if (key === "started") return "boot:1";
      if (key === "who") return "somebody";
      return value;
    }),
  );
}
