/**
 * Somebody edits a file while a changeset is applied: at every call, in every way an editor saves.
 *
 * What they wrote must be there in the end, and all other files must be as before or all as after. One instant is out
 * of our control and is counted: the file is replaced or removed right before our rename over it.
 */
import { Violation } from "./explore.ts";
import { ModelDisk } from "./model-disk.ts";
import { live, type Program, type Scenario, tell } from "./scenario.ts";

const theirs = "THEIRS";

type EditorSave = "writes into" | "replaces" | "removes";

export interface Edited {
  edits: number;
  /** Edits made in the one instant in which they are lost. */
  lost: number;
}

export async function editMeanwhile(program: Program, scenario: Scenario): Promise<Edited> {
  const edited: Edited = { edits: 0, lost: 0 };
  const step = scenario.steps[0];
  if (!step || step === "undo") throw new Error("the scenario begins with a changeset");
  for (const path of Object.keys(step.files))
    for (const saving of ["writes into", "replaces", "removes"] as const)
      for (let call = 0; ; call++) {
        const run = await liveWithEdit(program, scenario, { path, saving, call });
        if (run === "over") break;
        edited.edits++;
        if (isWhole(run.disk, scenario, path) && isKept(run.disk, path, saving, run.wasThere)) continue;
        if (isTheInstant(run.during, path, saving)) edited.lost++;
        else
          throw new Violation(`${scenario.name}: somebody ${saving} ${path} at call ${call} (${run.during})`);
      }
  return edited;
}

interface Edit {
  readonly path: string;
  readonly saving: EditorSave;
  readonly call: number;
}

interface Run {
  readonly disk: ModelDisk;
  /** The call that followed right after the edit. */
  readonly during: string;
  readonly wasThere: boolean;
}

async function liveWithEdit(program: Program, scenario: Scenario, edit: Edit): Promise<Run | "over"> {
  const disk = ModelDisk.of(scenario.before);
  let during: string | undefined;
  let wasThere = false;
  disk.onCall = (name, index, about) => {
    if (index !== edit.call) return;
    during = `${name} ${about}`;
    wasThere = disk.text(edit.path) !== undefined;
    save(disk, edit);
  };
  await live(program, scenario, disk, tell());
  return during === undefined ? "over" : { disk, during, wasThere };
}

function save(disk: ModelDisk, { path, saving }: Edit): void {
  const text = disk.text(path);
  if (saving === "removes") {
    if (text !== undefined) disk.remove(path);
  } else if (saving === "replaces" || text === undefined) disk.put(path, theirs);
  else disk.writeInto(path, theirs);
}

function isKept(disk: ModelDisk, path: string, saving: EditorSave, wasThere: boolean): boolean {
  const text = disk.text(path);
  if (saving === "removes") return !wasThere || text === undefined;
  return text?.includes(theirs) ?? false;
}

/** Whether the other files are all as before, or all as after. */
function isWhole(disk: ModelDisk, scenario: Scenario, edited: string): boolean {
  const step = scenario.steps[0];
  const others = Object.entries(step === "undo" || !step ? {} : step.files).filter(
    ([path]) => path !== edited,
  );
  const asBefore = others.every(([path]) => disk.text(path) === scenario.before[path]);
  const asAfter = others.every(([path, text]) => disk.text(path) === text);
  return asBefore || asAfter;
}

function isTheInstant(during: string, path: string, saving: EditorSave): boolean {
  if (saving === "writes into") return false;
  return during.startsWith("rename new-") && during.endsWith(` -> ${path.slice(path.lastIndexOf("/") + 1)}`);
}
