import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { DocumentPath } from "../document/address.ts";
import { openFiles } from "../world/files/choose-files.ts";
import { withDocumentsNow } from "./documents-now.ts";

const path = "/a.md" as DocumentPath;

test("within one command a document stays as it was first read, and reading creates nothing", () => {
  const root = mkdtempSync(join(tmpdir(), "cox-now-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const files = openFiles();
  expect(withDocumentsNow({ files, root }, (library) => [library.read(path), library.list()])).toEqual([
    {},
    [],
  ]);
  expect(readdirSync(root)).toEqual([]);

  mkdirSync(join(root, ".coxswain/docs"), { recursive: true });
  writeFileSync(join(root, ".coxswain/docs/a.md"), "# Before\n");
  withDocumentsNow({ files, root }, (library) => {
    expect(library.read(path).document?.text).toBe("# Before\n");
    expect(library.list()).toHaveLength(1);
    writeFileSync(join(root, ".coxswain/docs/a.md"), "# After it\n");
    writeFileSync(join(root, ".coxswain/docs/b.md"), "# B\n");
    expect(library.read(path).document?.text).toBe("# Before\n");
    expect(library.list()).toHaveLength(1);
  });
  const after = withDocumentsNow({ files, root }, (library) => library.read(path).document?.text);
  expect(after).toBe("# After it\n");
  expect(readdirSync(join(root, ".coxswain"))).toEqual(["docs"]);
});
