/** `cox undo --documents`: undoes a change to the documents, the latest one or the one with a given number. */
import { FileStore } from "../../document-store/file-store.ts";
import { type UndoneChange, undoChange } from "../../document-store/undo-change.ts";
import { runsRoot } from "../../runtime/folder/runs-root.ts";
import { counted } from "../../std/counted.ts";
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { jsonText } from "../../view/text/json-text.ts";
import type { CommandContext } from "../command-context.ts";
import { type ExitCode, exit } from "../exit.ts";
import { tellProblems } from "../tell-problems.ts";

export async function undoDocuments(door: CommandContext, user: string): Promise<ExitCode> {
  const { files, values, clock, chance, words } = door;
  const [word] = words;
  if (values.has("list")) return tellProblems(door, "undo", [listedElsewhere], exit.usage);
  if (word !== undefined && !/^[1-9]\d{0,8}$/.test(word))
    return tellProblems(door, "undo", [noNumber(word)], exit.usage);
  const root = runsRoot(files, values.one("root"));
  const store = FileStore.open({ files, root, clock, chance });
  const author = { name: user, door: "terminal" } as const;
  const number = word === undefined ? {} : { number: Number(word) };
  const undoing = undoChange(store, { author, tool: "cox undo --documents", ...number });
  return tell(door, await undoing.finally(() => store.close()));
}

function tell(door: CommandContext, answer: UndoneChange): ExitCode {
  if ("problem" in answer) return tellProblems(door, "undo", [answer.problem], exit.refused);
  const { terminal } = door;
  const { number, at, by, tool, about, files } = answer.undone;
  const paths = files.map(({ path }) => path);
  if (terminal.json) {
    terminal.print(
      jsonText({
        ok: true,
        undone: number,
        change: answer.by,
        at,
        by,
        tool,
        about,
        documents: paths,
        errors: [],
      }),
    );
    return exit.done;
  }
  const what = `${oneLine(about, 160)}, by ${oneLine(by.name, 60)}`;
  const back = `${counted(paths.length, "document")} put back · change ${number} is undone: ${what}`;
  terminal.print(`${terminal.paint("green", "✓")} ${back} · redo: cox undo --documents ${answer.by}\n`);
  return exit.done;
}

const listedElsewhere: Problem = {
  code: "USAGE",
  message: "--list lists changesets; --documents is about changes of documents",
  hint: "List the changes of documents: cox log --documents",
};

function noNumber(word: string): Problem {
  return {
    code: "USAGE",
    message: `${quote(word, 60)} is not the number of a change`,
    hint: "List the changes with their numbers: cox log --documents",
  };
}
