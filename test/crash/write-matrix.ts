/** Sows every mistake into a copy of the sources, tries it in every layer, and records which layers noticed it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentsLayers, documentsMatrix, documentsMistakes } from "./documents-mistakes.ts";
import { changesetsMatrix, layers } from "./layers.ts";
import type { Matrix, Row } from "./matrix.ts";
import { mistakes } from "./mistakes.ts";
import { repository, sow, sowDocuments } from "./sow.ts";

type Say = (line: string) => void;

/** Keyed by the name of what the mistakes are sown into. */
export const matrices: Readonly<Record<string, (say: Say) => Promise<void>>> = {
  changesets: (say) =>
    write(changesetsMatrix, {
      mistakes,
      say,
      async tried(mistake, layer) {
        const { program, remove } = await sow(mistake);
        return throwing(() => layers[layer](program)).finally(remove);
      },
    }),
  documents: (say) =>
    write(documentsMatrix, {
      mistakes: documentsMistakes,
      say,
      async tried(mistake, layer) {
        const { documents, remove } = await sowDocuments(mistake);
        return throwing(() => documentsLayers[layer](documents)).finally(remove);
      },
    }),
};

interface Trial<Mistake, Layer> {
  readonly mistakes: readonly Mistake[];
  readonly say: Say;
  /** Whether the layer noticed it. */
  tried(mistake: Mistake, layer: Layer): Promise<boolean>;
}

async function write<Mistake extends { readonly name: string }, Layer extends string>(
  matrix: Matrix<Layer>,
  { mistakes, say, tried }: Trial<Mistake, Layer>,
): Promise<void> {
  const rows: Row<Layer>[] = [];
  for (const mistake of mistakes) {
    const caught: Layer[] = [];
    for (const layer of matrix.layers) if (await tried(mistake, layer)) caught.push(layer);
    rows.push({ mistake: mistake.name, caught });
    say(`${mistake.name}: ${caught.join(", ")}`);
  }
  const path = join(repository(), "docs/how-we-test.md");
  writeFileSync(path, matrix.written(readFileSync(path, "utf8"), rows));
  say(`written: ${path}`);
}

/** A mistake may also make the program fail with an error of its own, which counts as noticed. */
async function throwing(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}
