import { MemoryRepository } from "../../test/doubles/memory-repository.ts";
import { decodeUtf8 } from "../std/utf8.ts";
import { realWorld } from "./real-world.contract.ts";
import { bytesOf, type RepositoryWorld, repositoryContract, startFiles } from "./repository.contract.ts";

repositoryContract("git", realWorld);
repositoryContract("memory", memoryWorld);

async function memoryWorld(): Promise<RepositoryWorld> {
  const repository = new MemoryRepository(startFiles);
  const texts = (files: ReadonlyMap<string, { bytes: Uint8Array }>) =>
    new Map([...files].sort().map(([path, { bytes }]) => [path, decodeUtf8(bytes)]));
  return {
    repository,
    again: async () => repository,
    put: (desk, path, text, mode = 0o644) =>
      repository.filesAt(desk).set(path, { bytes: bytesOf(text), mode }),
    remove: (desk, path) => repository.filesAt(desk).delete(path),
    filesAt: (desk) => texts(repository.filesAt(desk)),
    userPut: (path, text) => repository.checkout.set(path, { bytes: bytesOf(text), mode: 0o644 }),
    userRemove: (path) => repository.checkout.delete(path),
    userFiles: () => texts(repository.checkout),
    userCommit: async (message) => repository.commitCheckout(message),
    end: async () => {},
  };
}
