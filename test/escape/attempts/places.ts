/** Our own places: git directories, other desks, the cache, what the user trusted; and places that belong to the turn. */
import { type Attempt, writes } from "../attempt.ts";

export const places: readonly Attempt[] = [
  writes("configure the run's own git directory", "$OWN_GIT/config"),
  writes("give the run's own git directory attributes", "$OWN_GIT/info/attributes"),
  writes("give the run's own git directory a hook", "$OWN_GIT/hooks/post-index-change"),
  writes("give the run's own git directory other objects", "$OWN_GIT/objects/info/alternates"),
  writes("change the index of another desk", "$OWN_GIT/desks/run-1/other/index"),
  writes("write an object into the user's repository", "$REPO/.git/objects/planted"),
  writes("make a branch of the user's repository", "$REPO/.git/refs/heads/planted"),
  writes("change the configuration of coxswain", "$REPO/.coxswain/config.yaml"),
  writes("write to the log of a run", "$REPO/.coxswain/runs/run-1/events.jsonl"),
  writes("change what is trusted", "$STATE/trust.json"),
  {
    name: "replace what is trusted by a file of its own",
    script: 'echo "$MARK" > trust; mv -f trust "$STATE/replaced.json"',
    evidence: { marked: "$STATE/replaced.json" },
  },
  writes("write to another task's desk", "$OTHER_DESK/README.md"),
  writes("write to another task's scratch folder", "$OTHER_DESK.scratch/handed-in.jsonl"),
  writes("write to the checkout that is verified", "$VERIFY_DESK/README.md"),
  writes("write to a cached setup", "$CACHE/setups/one/node_modules/tool.js"),
  writes("write to the layer of another program", "$CACHE/layers/cox-layer-1-1-other/0/upper/.bashrc"),
  writes("add a desk of its own making", "$CACHE/desks/planted/README.md"),
  writes("write to a place that the configuration opens", "$OPENED/written.txt", {
    notHeld: { by: "any", reason: "the configuration opens it" },
  }),
  {
    name: "leave a program at the desk that runs as its owner",
    script: 'cp "$TOOL" own && chmod 4755 own && [ -u own ] && echo "$MARK"; rm -f own',
    evidence: { printed: "mark" },
    notHeld: {
      by: "any",
      reason: "the desk belongs to the agent, and the captured file does not have that bit",
    },
  },
  {
    name: "have the coordinator's git run a program, by the desk's own configuration",
    script:
      'git config core.fsmonitor "echo $MARK >> $LOOT; false"; mkdir -p .git/hooks; printf \'#!/bin/sh\\necho %s >> "%s"\\n\' "$MARK" "$LOOT" > .git/hooks/post-index-change; chmod +x .git/hooks/*; echo "* filter=x" > .git/info/attributes; git config filter.x.clean "echo $MARK >> $LOOT"; echo changed >> README.md',
    evidence: { ran: [] },
    withoutSandbox: {
      ordinary: "git is never started with a desk's own directory",
      root: "git is never started with a desk's own directory",
    },
    control: {
      typed: ["git", "-C", "$DESK", "status"],
      words: "whoever types `git status` at that desk runs it",
    },
  },
  {
    name: "put a link in the place of the scratch folder",
    script: 'mv "$SCRATCH" "$SCRATCH.old" && ln -s "$SCRATCH.old" "$SCRATCH"',
    evidence: { linked: "$SCRATCH" },
    isLast: true,
  },
  {
    name: "put another folder in the place of the desk",
    script: 'mv "$DESK" "$DESK.old" && cp -a "$DESK.old" "$DESK"',
    evidence: { there: "$DESK.old" },
    isLast: true,
  },
];
