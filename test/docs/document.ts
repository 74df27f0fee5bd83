/**
 * A page of documentation as a reader would follow it: files to make and commands to type, in order.
 *
 * - In a `console` block, a line after `$ ` is typed; lines after `> ` directly below continue it; other lines are
 *   what it prints, `…` standing for anything (alone on a line: for any lines). Without such lines nothing is
 *   promised about the output. A command that fails on purpose ends in `# exit 2`.
 * - In a `sh` block every line but comments is typed, and must succeed; a line that ends in `\` goes on.
 * - A block whose info string names a file (`json reply.json`) is that file.
 * - Any other block is there to be read.
 */
export interface Page {
  readonly steps: readonly Step[];
  /** Blocks that look like something to type and would be left out in silence. */
  readonly mistakes: readonly string[];
}

export type Step = FileStep | CommandStep;

export interface FileStep {
  readonly kind: "file";
  readonly line: number;
  readonly path: string;
  readonly text: string;
}

export interface CommandStep {
  readonly kind: "command";
  readonly line: number;
  readonly command: string;
  readonly exitCode: number;
  /** The output the page shows; nothing when it shows none. */
  readonly output?: string;
}

export function parsePage(text: string): Page {
  const steps: Step[] = [];
  const mistakes: string[] = [];
  for (const block of blocks(text)) {
    const [language = "", file] = block.info.split(/\s+/);
    if (language === "console") steps.push(...consoleSteps(block));
    else if (language === "sh") steps.push(...shellSteps(block));
    else if (file && /^[\w.-][\w./-]*\.\w+$/.test(file)) {
      steps.push({
        kind: "file",
        line: block.line,
        path: file,
        text: block.lines.map((line) => `${line}\n`).join(""),
      });
    } else if (["bash", "shell", "zsh", "shell-session"].includes(language)) {
      mistakes.push(`line ${block.line}: a ${language} block is not run; make it console or sh`);
    } else if (["", "text", "txt"].includes(language) && block.lines.some((line) => line.startsWith("$ "))) {
      mistakes.push(`line ${block.line}: a block with "$ " is not run unless it is tagged console`);
    }
  }
  return { steps, mistakes };
}

interface Block {
  readonly info: string;
  readonly lines: readonly string[];
  /** Of its opening fence, from 1. */
  readonly line: number;
}

function blocks(text: string): Block[] {
  const found: Block[] = [];
  let open: { fence: string; indent: string; info: string; lines: string[]; line: number } | undefined;
  text.split("\n").forEach((line, at) => {
    const fence = /^( *)(`{3,}|~{3,})(.*)$/.exec(line);
    if (!open) {
      if (fence) {
        const [, indent = "", mark = "", info = ""] = fence;
        open = { fence: mark, indent, info: info.trim(), lines: [], line: at + 1 };
      }
    } else if (fence?.[2]?.startsWith(open.fence) && fence[3]?.trim() === "") {
      found.push(open);
      open = undefined;
    } else {
      open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line.trimStart());
    }
  });
  return found;
}

function consoleSteps(block: Block): Step[] {
  const typed: { command: string[]; output: string[]; line: number }[] = [];
  block.lines.forEach((line, at) => {
    const last = typed.at(-1);
    if (line.startsWith("$ "))
      typed.push({ command: [line.slice(2)], output: [], line: block.line + at + 1 });
    else if (last && last.output.length === 0 && /^>( |$)/.test(line)) last.command.push(line.slice(2));
    else last?.output.push(line.trimEnd());
  });
  return typed.map(({ command, output, line }) => {
    const shown = output.join("\n").trimEnd();
    const exitCode = Number(/# exit (\d+)$/.exec(command[0]?.trimEnd() ?? "")?.[1] ?? 0);
    return {
      kind: "command",
      line,
      command: command.join("\n"),
      exitCode,
      ...(shown ? { output: shown } : {}),
    };
  });
}

function shellSteps(block: Block): Step[] {
  const steps: Step[] = [];
  let begun: string[] = [];
  block.lines.forEach((text, at) => {
    if (begun.length === 0 && /^\s*(#|$)/.test(text)) return;
    begun.push(text);
    if (text.endsWith("\\")) return;
    steps.push({ kind: "command", line: block.line + at + 1, command: begun.join("\n"), exitCode: 0 });
    begun = [];
  });
  return steps;
}
