import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodePlainFiles } from "./node-plain-files.ts";

function folderIn(place: string): string {
  const folder = mkdtempSync(join(place, "cox-plain-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Another file system on most machines: it is in memory. */
const elsewhere = "/dev/shm";

test.for([tmpdir(), elsewhere])(
  "a file moved to %s is there whole, with its mode, and nowhere else",
  (place, { skip }) => {
    if (!existsSync(place)) skip(`there is no ${place}`);
    const [from, to] = [folderIn(tmpdir()), folderIn(place)];
    writeFileSync(join(from, "secret"), "new", { mode: 0o600 });
    writeFileSync(join(to, "secret"), "old", { mode: 0o644 });
    nodePlainFiles.move(join(from, "secret"), join(to, "secret"));
    mkdirSync(join(from, "folder"));
    writeFileSync(join(from, "folder/a"), "a");
    nodePlainFiles.move(join(from, "folder"), join(to, "folder"));
    expect(readFileSync(join(to, "secret"), "utf8")).toBe("new");
    expect(statSync(join(to, "secret")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(to, "folder/a"), "utf8")).toBe("a");
    expect([readdirSync(from), readdirSync(to).sort()]).toEqual([[], ["folder", "secret"]]);
  },
);

test("looking at a file follows no link, and shows whether it was replaced or written to", () => {
  const folder = folderIn(tmpdir());
  const [file, link] = [join(folder, "file"), join(folder, "link")];
  writeFileSync(file, "one");
  symlinkSync("file", link);
  const before = nodePlainFiles.look(file);
  expect(nodePlainFiles.look(file)).toEqual(before);
  writeFileSync(file, "other");
  expect(nodePlainFiles.look(file)).not.toEqual(before);
  expect(before?.kind).toBe("file");
  expect(nodePlainFiles.look(link)?.kind).toBe("link");
  expect(nodePlainFiles.look(folder)?.kind).toBe("folder");
  expect(nodePlainFiles.look(join(folder, "none"))).toBeUndefined();
});
