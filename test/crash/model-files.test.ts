import { filesContract } from "../../src/world/files.contract.ts";
import { ModelDisk } from "./model-disk.ts";
import { modelFiles } from "./model-files.ts";

filesContract("the model", () => {
  const disk = ModelDisk.of({ "root/": "" });
  return {
    files: modelFiles(disk),
    other: modelFiles(disk),
    root: "/root",
    pinned: true,
    makeLink: (path, target) => disk.makeLink(path, target),
    tick: () => {},
    end: () => {},
  };
});
