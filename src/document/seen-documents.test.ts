import { expect, test } from "vitest";
import type { DocumentPath } from "./address.ts";
import { Document } from "./document.ts";
import { SeenDocuments } from "./seen-documents.ts";

const documentOf = (path: string, text: string) => Document.of(path as DocumentPath, text);
const whole = (document: Document) => ({ start: 0, end: document.length });
const isChanged = (seen: SeenDocuments, document: Document) =>
  seen.isChanged(document, { whole: whole(document), isTextOnly: false });

function show(seen: SeenDocuments, path: string, text = "# A\n\nx\n"): void {
  const document = documentOf(path, text);
  seen.shown(document, whole(document));
}

test("a client's last thirty-two documents are remembered, the recently used ones longest", () => {
  const seen = new SeenDocuments();
  for (let count = 0; count < 32; count += 1) show(seen, `/${count}.md`);
  show(seen, "/0.md");
  show(seen, "/32.md");
  const changed = (name: number) => isChanged(seen, documentOf(`/${name}.md`, "# A\n\ny\n"));
  expect([0, 1, 2, 32].map(changed)).toEqual([true, false, true, true]);
});

test("remembered documents that are too long together are forgotten, the oldest first", () => {
  const seen = new SeenDocuments();
  const long = `# A\n\n${"word ".repeat(500_000)}\n`;
  show(seen, "/a.md", long);
  show(seen, "/b.md", long);
  expect(isChanged(seen, documentOf("/a.md", "# A\n\ny\n"))).toBe(false);
  expect(isChanged(seen, documentOf("/b.md", "# A\n\ny\n"))).toBe(true);
});

test("a renamed document keeps what is remembered of it", () => {
  const seen = new SeenDocuments();
  show(seen, "/a.md");
  const before = documentOf("/a.md", "# A\n\ny\n");
  const after = documentOf("/b.md", "# A\n\ny\n");
  seen.wrote([
    { path: after.path, after },
    { path: before.path, before },
  ]);
  expect(isChanged(seen, after)).toBe(true);
  expect(isChanged(seen, before)).toBe(false);
});

test("a section that somebody else changed still counts as unread after its title changes", () => {
  const seen = new SeenDocuments();
  show(seen, "/a.md", "# A\n\n## One\n\nx\n");
  const before = documentOf("/a.md", "# A\n\n## One\n\ny\n");
  const after = documentOf("/a.md", "# A\n\n## Two\n\ny\n");
  seen.wrote([{ path: after.path, before, after }]);
  expect(isChanged(seen, after)).toBe(true);
});

test("blank lines moved by an edit beside a section do not count as a change of it", () => {
  const seen = new SeenDocuments();
  show(seen, "/a.md", "# A\n\nx\n");
  expect(isChanged(seen, documentOf("/a.md", "# A\nx\n\n\n"))).toBe(false);
});
