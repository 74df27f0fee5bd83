/** Commands about a single reply, and about this machine. */
import { type CommandSpec, json, noInput, root } from "./command.ts";

export const replyCommands: readonly CommandSpec[] = [
  {
    name: "demo",
    summary: "See it work: a plan run by a scripted crew, in a throw-away repository",
    usage: "cox demo [apply]",
    about: `No key, no network, under ten seconds. Six tasks at the same time: a reply that is refused and
repaired, an audit that fails, two changes of one file merged, a question, a commit for each task,
a rollback. The folder is kept for you to look around. cox demo apply shows single replies
instead: applied, refused, killed halfway and recovered, undone.`,
    words: 1,
    takes: [["apply"]],
    options: [],
    examples: [
      ["cox demo", "watch a run"],
      ["cox demo apply", "watch replies being applied"],
    ],
  },
  {
    name: "apply",
    summary: "Apply a model's reply: all of it, read back from disk, or nothing",
    usage: "cox apply [FILE|-] [options]",
    about: `Reads a model's reply (from FILE, else from stdin), finds the file operations in it, checks all
of them, shows what they will do, applies them as one changeset and reads every file back from disk.
A reply with any mistake is refused as a whole, with every mistake listed. Before it deletes or
changes sensitive files, it asks. After a crash or power cut, the next cox command finishes the
changeset or undoes it.

Exit: 0 applied · 1 refused, nothing changed · 2 usage · 3 needs your confirmation, nothing changed
      6 another cox holds the folder · 74 the disk failed · 130 interrupted`,
    words: 1,
    takes: ["file"],
    options: [
      root,
      { name: "dry-run", text: "Show the plan and the diff; change nothing, ask nothing" },
      { name: "yes", short: "y", text: "Confirm everything that would be asked (never what is refused)" },
      {
        name: "confirm-deletes",
        argument: "WHEN",
        oneOf: ["ask", "declared", "always-allow", "never"],
        text: "ask | declared (by a plan, else ask) | always-allow | never",
      },
      {
        name: "writes",
        argument: "GLOB",
        repeatable: true,
        text: "Refuse every path outside GLOB; may be given several times",
      },
      { name: "fence", argument: "TAG", text: "Use only the fenced block with this tag" },
      { name: "id", argument: "ID", text: "Name the changeset; the same id is never applied twice" },
      noInput,
      json,
    ],
    examples: [
      ["cox apply reply.md", "show, apply, read back"],
      ["cox apply reply.md --dry-run", "only look at the diff"],
      ["my-model < prompt.md | cox apply --writes 'src/**'", "straight from a model"],
    ],
  },
  {
    name: "undo",
    summary: "Undo a changeset (the latest, unless you name one)",
    usage: "cox undo [CHANGESET | --documents [NUMBER]] [options]",
    about: `Puts every file of a changeset back as it was before, all or nothing. Refused when a file was
changed since, so your own edits are never lost. An undo is a changeset too: undo it to redo.
It does not undo cox land; it names the git revert that does. --documents undoes a change of the
documents and their tasks in the same way: the latest, or NUMBER (see cox log --documents).

Exit: 0 undone, or listed · 1 refused, nothing changed · 2 usage · 5 not ready
      6 another cox holds the folder · 74 the disk failed · 130 interrupted`,
    words: 1,
    takes: ["text"],
    options: [
      { name: "list", text: "List the changesets, newest first; change nothing" },
      { name: "documents", text: "Undo a change of the documents and tasks instead of a changeset" },
      root,
      json,
    ],
    examples: [
      ["cox undo", "undo the latest changeset"],
      ["cox undo --list", "see what there is"],
      ["cox undo k3f9ab", "undo that one"],
      ["cox undo --documents 12", "undo change 12 of the documents"],
    ],
  },
  {
    name: "schema",
    summary: "Print the JSON Schema of a model's reply",
    usage: "cox schema reply|auditor",
    about: `For agents that accept a schema, and for your prompts: reply is what a developer sends, auditor what
an auditor sends.`,
    words: 1,
    takes: [["reply", "auditor"]],
    options: [],
    examples: [
      ["cox schema reply > reply.schema.json", "give it to your model"],
      ["cox schema auditor", "what an audit looks like"],
    ],
  },
  {
    name: "completion",
    summary: "Print a completion script for your shell: commands, options, runs, tasks",
    usage: "cox completion bash|zsh|fish",
    about: `Put it where your shell reads it at startup; then the Tab key completes commands, options, settings
with their values, runs, tasks, questions, agents and plans. The script asks cox itself, so it stays
right when cox or your repository changes. It changes nothing, and prints nothing when it fails.

Exit: 0 printed · 2 usage`,
    words: 1,
    takes: [["bash", "zsh", "fish"]],
    options: [],
    examples: [
      ["source <(cox completion bash)", "in ~/.bashrc"],
      ["source <(cox completion zsh)", "in ~/.zshrc, after compinit"],
      ["cox completion fish | source", "in ~/.config/fish/config.fish"],
    ],
  },
  {
    name: "doctor",
    summary: "Check this machine and folder; say how to fix problems",
    usage: "cox doctor [options]",
    about: `Says nothing when nothing is wrong. Each finding comes with its fix.

Exit: 0 ready (perhaps with advice) · 5 something prevents runs`,
    words: 0,
    options: [root, { name: "verbose", short: "v", text: "Show the passed checks too" }, json],
    examples: [["cox doctor --verbose", "see every check"]],
  },
  {
    name: "agents",
    summary: "List configured agents and installed agent programs, and what each can do",
    usage: "cox agents [test NAME] [options]",
    about: `Lists the agents of .coxswain/config.yaml and the agent programs that cox knows, with version,
whether they seem signed in (no credential is read) and abilities. cox agents test NAME asks an
agent, or a program by its driver's name, for one word, in an empty folder that it cannot write to.

Exit: 0 shown, or it replied · 1 the turn failed, or there is no such agent · 2 usage
      3 its command comes from the configuration: needs your yes
      5 its program is not installed, not signed in, or cannot be started`,
    words: 2,
    takes: [["test"], "agent-or-driver"],
    options: [
      { name: "timeout", argument: "N", text: "With test: end it after N seconds (default: 120)" },
      { name: "yes", short: "y", text: "With test: start the command from the configuration without asking" },
      noInput,
      root,
      json,
    ],
    examples: [
      ["cox agents", "list them"],
      ["cox agents test claude-code", "does it answer?"],
      ["cox agents --json | jq '.programs[] | select(.installed)'", "for a script"],
    ],
  },
  {
    name: "model-server",
    summary: "Serve a scripted model on this machine, in the formats of four vendors",
    usage: "cox model-server --script FILE [options]",
    about: `For trying agents, plans and your own programs without a key or a network. Speaks Anthropic
Messages, OpenAI Responses and Chat Completions, and Gemini: streams, tools, usage; and failures:
errors, rate limits, hangs, cut connections. Prints its address and serves this machine only, until
Ctrl-C. FILE is YAML or JSON, or - for stdin.

Exit: 0 interrupted · 2 usage, an invalid script, or a port that is not available`,
    words: 0,
    options: [
      { name: "script", argument: "FILE", text: "What the model says" },
      { name: "port", argument: "N", text: "The port (default: any free one)" },
      {
        name: "log",
        argument: "FILE",
        text: "Write each request to FILE, one line of JSON each, without keys",
      },
      json,
    ],
    examples: [
      ["cox model-server --script talk.yaml --port 4010", "serve until Ctrl-C"],
      ["cox model-server --script talk.yaml --log asked.jsonl", "and log the requests"],
    ],
  },
];
