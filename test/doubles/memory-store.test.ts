import { storeContract } from "../../src/document/store.contract.ts";
import { DocumentMemory, MemoryStore } from "./memory-store.ts";

storeContract("in memory", () => {
  const clock = { now: () => 1_700_000_000_000 };
  const memory = new DocumentMemory();
  const store = new MemoryStore(clock, memory);
  return {
    store,
    another: () => new MemoryStore(clock, memory),
    edit: (path, text) => memory.put(path, text),
    end: () => store.close(),
  };
});
