import { expect, test } from "vitest";
import { ModelDisk } from "../../../test/crash/model-disk.ts";
import { modelFiles } from "../../../test/crash/model-files.ts";
import type { LentFolder } from "../files/files.ts";
import { Tree } from "./tree.ts";

const disk = () => ModelDisk.of({ "a/1.txt": "1", "b/c/2.txt": "2", "d/3.txt": "3", "e/4.txt": "4" });

test("a folder that is in use stays open, however many others are opened, and when all of them are given up", async () => {
  const { files, tree } = opened(disk());
  const text = tree.withFolder("a", async (folder) => {
    for (const path of ["b/c/2.txt", "d/3.txt", "e/4.txt"]) expect(tree.stat(path)?.kind).toBe("file");
    await undefined;
    expect(files.list(folder)).toEqual(["1.txt"]);
    tree.release();
    expect(files.list(folder)).toEqual(["1.txt"]);
    tree.close();
    expect(files.list(folder)).toEqual(["1.txt"]);
    return "done";
  });
  expect(await text).toBe("done");
});

test("an open folder is closed once it is unused and not kept, also after a failure", async () => {
  const model = disk();
  const { tree } = opened(model);
  const failing = () => {
    throw new Error("no");
  };
  expect(() => tree.withFolder("a", failing)).toThrow("no");
  await expect(tree.withFolder("b/c", async () => failing())).rejects.toThrow("no");
  for (const path of ["a/1.txt", "b/c/2.txt", "d/3.txt", "e/4.txt"]) tree.stat(path);
  // The root, plus as many folders as the tree keeps.
  expect(model.handles).toBe(3);
  tree.close();
  expect(model.handles).toBe(0);
});

test("a walk through more folders than are kept open reaches the end", () => {
  const path = "1/2/3/4/5/6/7";
  const { tree } = opened(ModelDisk.of({ [`${path}/a.txt`]: "a" }));
  expect(tree.list(path)).toEqual(["a.txt"]);
});

test("a lent folder cannot be closed by its borrower", () => {
  const { files } = opened(disk());
  // @ts-expect-error a folder that was lent is not ours to close
  const close = (folder: LentFolder) => files.close(folder);
  expect(close).toBeTypeOf("function");
});

function opened(model: ModelDisk) {
  const files = modelFiles(model);
  return { files, tree: Tree.open(files, "/", 2) };
}
