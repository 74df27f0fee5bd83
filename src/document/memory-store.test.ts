import { DocumentMemory, MemoryStore } from "./memory-store.ts";
import { storeContract } from "./store.contract.ts";

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
