import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { codeOf } from "../../src/world/files/files.contract.ts";
import type { File, Files, Folder } from "../../src/world/files/files.ts";
import { nodeFiles } from "../../src/world/files/node-files.ts";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

/**
 * Only a few names, often already used, sometimes by a folder or a link, because the interesting rules are about
 * collisions.
 */
const name = fc.constantFrom("a", "b", "d", "l");
const place = fc.nat(5);
const step = fc.oneof(
  fc.record({ call: fc.constantFrom("makeFolder", "removeFolder", "openFolder", "unlink"), place, name }),
  fc.record({ call: fc.constantFrom("create", "append", "read"), place, name }),
  fc.record({ call: fc.constantFrom("link", "rename"), place, name, newPlace: place, newName: name }),
  fc.record({ call: fc.constantFrom("write", "cut", "chmod"), place, amount: fc.nat(9) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test("the model of files answers every sequence of calls as Linux does", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
      const path = mkdtempSync(join(tmpdir(), "model-"));
      const disk = ModelDisk.of({ "root/": "" });
      const linux = new Walker(nodeFiles(), path);
      const model = new Walker(modelFiles(disk), "/root");
      symlinkSync("d", join(path, "l"));
      disk.makeLink("root/l", "d");
      try {
        const answers = steps.map((one) => [one.call, linux.take(one)]);
        expect(steps.map((one) => [one.call, model.take(one)])).toEqual(answers);
        expect(model.seen()).toEqual(linux.seen());
      } finally {
        linux.end();
        model.end();
        rmSync(path, { recursive: true });
      }
      expect(disk.handles).toBe(0);
    }),
    { numRuns: 400 },
  );
});

/** Performs the steps on one implementation and remembers what it opened. */
class Walker {
  private readonly files: Files;
  private readonly folders: Folder[];
  private readonly opened: File[] = [];

  constructor(files: Files, root: string) {
    this.files = files;
    this.folders = [files.openRoot(root)];
  }

  take(step: Step): string | undefined {
    return codeOf(() => this.call(step));
  }

  seen(): unknown {
    return {
      folders: this.folders.map((folder) =>
        this.files.list(folder).map((name) => [name, shown(this.files.stat(folder, name))]),
      ),
      opened: this.opened.map((file) => {
        const stat = this.files.statOf(file);
        const bytes = stat.kind === "file" ? [...this.files.read(file, 0, 1000)] : [];
        return [shown(stat), bytes];
      }),
    };
  }

  end(): void {
    for (const handle of [...this.opened, ...this.folders]) this.files.close(handle);
  }

  private call(step: Step): void {
    const { files } = this;
    const at = this.folder(step.place);
    if ("amount" in step) {
      const file = this.opened[step.place % this.opened.length];
      if (!file) return;
      if (step.call === "write") files.write(file, new Uint8Array(step.amount).fill(step.amount));
      else if (step.call === "cut") files.truncate(file, step.amount);
      else files.chmod(file, 0o600 + step.amount);
    } else if ("newName" in step) {
      const to = this.folder(step.newPlace);
      if (step.call === "link") files.link(at, step.name, to, step.newName);
      else files.rename(at, step.name, to, step.newName);
    } else if (step.call === "makeFolder") files.makeFolder(at, step.name);
    else if (step.call === "removeFolder") files.removeFolder(at, step.name);
    else if (step.call === "openFolder") this.folders.push(files.openFolder(at, step.name));
    else if (step.call === "unlink") files.unlink(at, step.name);
    else this.opened.push(files.open(at, step.name, step.call as "create" | "append" | "read"));
  }

  private folder(place: number): Folder {
    return this.folders[place % this.folders.length] as Folder;
  }
}

/** Leaves out what a file system may choose: inode, time, and the size and mode of folders and links. */
function shown(stat: ReturnType<Files["stat"]>): unknown {
  return stat?.kind === "file" ? [stat.size, stat.mode, stat.links] : stat?.kind;
}
