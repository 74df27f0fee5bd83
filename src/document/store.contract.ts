/**
 * The contract of every `DocumentStore` implementation, written once and run by each. It also covers somebody else
 * working on the same documents: a second store, or a person with an editor.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "../world/files/hash.ts";
import { type DocumentPath, readAddress } from "./address.ts";
import type { Author, DocumentEdit, DocumentStore, Library, StoreDecision } from "./store.ts";

export interface StoreWorld {
  readonly store: DocumentStore;
  /** A second store on the same documents, as another process would have. */
  another(): DocumentStore;
  /** A person with an editor; without a text the document is removed. */
  edit(path: DocumentPath, text?: string): void;
  end(): Promise<void>;
}

export const someone: Author = { name: "somebody 1.0", door: "terminal" };

export function pathTo(given: string): DocumentPath {
  const read = readAddress(given);
  if ("problem" in read) throw new Error(read.problem.message);
  return read.address.path;
}

function doing<T>(answer: T, ...edits: DocumentEdit[]): StoreDecision<T> {
  return { answer, edits, done: { tool: "a test", about: `did ${edits.length}` } };
}

/** Adds a line at the end of a document, creating it if necessary. */
export function adding(path: DocumentPath, line: string) {
  return (now: Library): StoreDecision<string> => {
    const { document } = now.read(path);
    if (!document) return doing(line, { do: "create", path, text: `${line}\n` });
    const end = document.text.length;
    return doing(line, { do: "splice", path, splices: [{ start: end, end, text: `${line}\n` }] });
  };
}

export function storeContract(name: string, make: () => StoreWorld): void {
  const a = pathTo("/a.md");
  const b = pathTo("/folder/b.md");
  const active = pathTo("/coordinator/active.md");
  const archived = pathTo("/archived/coordinator/active-1.md");
  let world: StoreWorld;
  let store: DocumentStore;

  beforeEach(() => {
    world = make();
    store = world.store;
  });

  afterEach(() => world.end());

  function text(path: DocumentPath, through = store): string | undefined {
    return through.read(path).document?.text;
  }

  describe(`${name}: changes`, () => {
    test("a document is created, edited and removed, and the changes are reported in that order", async () => {
      expect(store.read(a)).toEqual({});
      expect(await store.change(someone, () => doing(1, { do: "create", path: a, text: "one\n" }))).toBe(1);
      expect(text(a)).toBe("one\n");
      const splices = [
        { start: 3, end: 3, text: "!" },
        { start: 0, end: 0, text: "> " },
      ];
      await store.change(someone, () => doing(2, { do: "splice", path: a, splices }));
      expect(text(a)).toBe("> one!\n");
      await store.change(someone, () => doing(3, { do: "remove", path: a }));
      expect(store.read(a)).toEqual({});
      const [one, two] = [sha256("one\n"), sha256("> one!\n")];
      expect(store.history().map(({ files }) => files)).toEqual([
        [{ path: a, before: null, after: one }],
        [{ path: a, before: one, after: two }],
        [{ path: a, before: two, after: null }],
      ]);
    });

    test("a reader that comes after a change in progress sees it, even without a change of its own", async () => {
      const first = store.change(someone, adding(a, "one"));
      const then = store.change(someone, () => ({ answer: text(a) }));
      expect(await Promise.all([first, then])).toEqual(["one", "one\n"]);
    });

    test("several documents change together", async () => {
      await store.change(someone, adding(active, "list"));
      await store.change(someone, (now) =>
        doing(
          0,
          { do: "create", path: archived, text: now.read(active).document?.text ?? "" },
          { do: "remove", path: active },
          { do: "create", path: b, text: "b\n" },
        ),
      );
      expect([text(active), text(archived), text(b)]).toEqual([undefined, "list\n", "b\n"]);
      expect(
        store
          .history()
          .at(-1)
          ?.files.map(({ path }) => path),
      ).toEqual([archived, active, b]);
    });

    test("a decision to change nothing changes nothing and is not recorded", async () => {
      expect(await store.change(someone, () => ({ answer: "no" }))).toBe("no");
      await store.change(someone, adding(a, "x"));
      expect(await store.change(someone, (now) => ({ answer: now.read(a).document?.text }))).toBe("x\n");
      const same = { do: "splice", path: a, splices: [{ start: 0, end: 1, text: "x" }] } as const;
      expect(await store.change(someone, () => doing("same", same))).toBe("same");
      expect(store.history()).toHaveLength(1);
    });

    test("the record of a change says who made it, when, with which tool, and which tasks", async () => {
      const tasks = [{ document: a, slug: "do-it", status: "completed" }];
      await store.change({ name: "c 1", door: "mcp-stdio" }, ({ at }) => ({
        answer: at,
        edits: [{ do: "create", path: a, text: at }],
        done: { tool: "complete", about: "completed #do-it", tasks },
      }));
      const [deed] = store.history();
      expect(deed).toMatchObject({ by: { name: "c 1", door: "mcp-stdio" }, tool: "complete", tasks });
      expect(deed).toMatchObject({ about: "completed #do-it", at: text(a) });
    });

    test("an error thrown by the decision reaches the caller, and later changes work", async () => {
      const failing = store.change(someone, () => {
        throw new Error("not like that");
      });
      await expect(failing).rejects.toThrow("not like that");
      await store.change(someone, adding(a, "x"));
      await expect(
        store.change(someone, () => doing(0, { do: "create", path: a, text: "again" })),
      ).rejects.toThrow("there is nothing at /a.md yet");
      await store.change(someone, adding(a, "y"));
      expect(text(a)).toBe("x\ny\n");
    });

    test("changes made at once are done one after the other, each on the result of the one before", async () => {
      const lines = Array.from({ length: 30 }, (_, number) => `line ${number}`);
      await Promise.all(lines.map((line) => store.change(someone, adding(a, line))));
      expect(text(a)?.trim().split("\n")).toEqual(lines);
      expect(store.history()).toHaveLength(30);
    });

    test("a text of any characters comes back as it was given", async () => {
      const given = "\ufeffä \u{1f600}\r\n\0 end";
      await store.change(someone, () => doing(0, { do: "create", path: a, text: given }));
      expect(text(a)).toBe(given);
    });

    test("a document is the same object while nobody writes it", async () => {
      await store.change(someone, adding(a, "x"));
      expect(store.read(a).document).toBe(store.read(a).document);
    });
  });

  describe(`${name}: listing`, () => {
    test("documents are listed by path, with archives and the active list apart", async () => {
      for (const path of [b, archived, a, active]) await store.change(someone, adding(path, "ä"));
      expect(store.list().map(({ path, size }) => [path, size])).toEqual([
        [a, 3],
        [b, 3],
      ]);
      expect(store.archive().map(({ path }) => path)).toEqual([archived]);
    });

    test.each([true, false])(
      "a listing has everything that was written before it was asked for (watched: %s)",
      async (isWatched) => {
        const stop = isWatched ? store.watch(() => undefined) : () => undefined;
        await store.change(someone, adding(a, "x"));
        for (let count = 0; count < 20; count++) {
          world.edit(count % 2 ? a : b, "y".repeat(count + 10));
          expect(await store.listing()).toEqual(store.list());
        }
        world.edit(b);
        expect((await store.listing()).map(({ path }) => path)).toEqual([a]);
        stop();
      },
    );

    test("the stamp of a document changes with the document and only then", async () => {
      await store.change(someone, adding(a, "x"));
      const stampOf = () => store.list()[0]?.stamp;
      const before = stampOf();
      expect(stampOf()).toBe(before);
      await store.change(someone, adding(a, "y"));
      expect(stampOf()).not.toBe(before);
    });
  });

  describe(`${name}: somebody else`, () => {
    test("changes and records of another store are seen at once", async () => {
      const other = world.another();
      await store.change(someone, adding(a, "mine"));
      await other.change({ ...someone, name: "other" }, adding(a, "theirs"));
      expect(text(a)).toBe("mine\ntheirs\n");
      await store.change(someone, adding(a, "mine again"));
      expect(text(a, other)).toBe("mine\ntheirs\nmine again\n");
      expect(other.history().map(({ by }) => by.name)).toEqual([someone.name, "other", someone.name]);
      await other.close();
    });

    test("two stores that write at once lose nothing", async () => {
      const other = world.another();
      const numbers = Array.from({ length: 20 }, (_, number) => number);
      await Promise.all(
        numbers.map((number) => (number % 2 ? store : other).change(someone, adding(a, `${number}`))),
      );
      const lines = text(a)?.trim().split("\n").map(Number);
      expect(lines?.toSorted((one, two) => one - two)).toEqual(numbers);
      expect(store.history()).toHaveLength(20);
      await other.close();
    });

    test("the next change works on the text that an editor saved", async () => {
      await store.change(someone, adding(a, "x"));
      world.edit(a, "edited\n");
      expect(text(a)).toBe("edited\n");
      await store.change(someone, adding(a, "y"));
      expect(text(a)).toBe("edited\ny\n");
      world.edit(a);
      expect(store.read(a)).toEqual({});
    });

    test("a save by an editor after the decision is not overwritten: the change is decided again", async () => {
      await store.change(someone, adding(a, "x"));
      let asked = 0;
      await store.change(someone, (now) => {
        asked += 1;
        if (asked === 1) queueMicrotask(() => world.edit(a, "edited\n"));
        return adding(a, "y")(now);
      });
      expect(text(a)).toBe("edited\ny\n");
      expect(asked).toBe(2);
      expect(store.history().map(({ files }) => files[0]?.before)).toEqual([null, sha256("edited\n")]);
    });

    test("a document that somebody creates in the same moment is not replaced by ours", async () => {
      let asked = 0;
      await store.change(someone, (now) => {
        asked += 1;
        if (asked === 1) queueMicrotask(() => world.edit(b, "theirs\n"));
        return adding(b, "ours")(now);
      });
      expect(text(b)).toBe("theirs\nours\n");
      expect(store.history()).toHaveLength(1);
    });

    test("a change of several documents does nothing while one of them is edited", async () => {
      await store.change(someone, adding(active, "list"));
      const seen: (string | undefined)[] = [];
      await store.change(someone, (now) => {
        seen.push(text(archived));
        if (seen.length === 1) queueMicrotask(() => world.edit(active, "edited\n"));
        const { text: old = "" } = now.read(active).document ?? {};
        return doing(0, { do: "create", path: archived, text: old }, { do: "remove", path: active });
      });
      expect(seen).toEqual([undefined, undefined]);
      expect([text(active), text(archived)]).toEqual([undefined, "edited\n"]);
    });
  });

  describe(`${name}: watching`, () => {
    test("our own changes are reported at once, all paths of a change together", async () => {
      const told: (readonly DocumentPath[])[] = [];
      const stop = store.watch((paths) => told.push(paths));
      await store.change(someone, () =>
        doing(0, { do: "create", path: a, text: "a" }, { do: "create", path: b, text: "b" }),
      );
      expect(told).toEqual([[a, b]]);
      stop();
      await store.change(someone, adding(a, "x"));
      expect(told).toHaveLength(1);
    });

    test("changes by others are reported soon", async () => {
      await store.change(someone, adding(a, "x"));
      const other = world.another();
      const told = new Set<DocumentPath>();
      const wanted = new Set([a, b, active]);
      await new Promise<void>((resolve) => {
        const stop = store.watch((paths) => {
          for (const path of paths) told.add(path);
          if ([...wanted].some((path) => !told.has(path))) return;
          stop();
          resolve();
        });
        world.edit(a, "edited\n");
        world.edit(b, "made\n");
        void other.change(someone, adding(active, "list"));
      });
      expect(told).toEqual(wanted);
      await other.close();
    });
  });
}
