/** Every bad input that concerns a reply, with its controls: run through the library and through the program. */
import { contentRows } from "./content-rows.ts";
import { extractionRows } from "./extraction-rows.ts";
import { jsonRows } from "./json-rows.ts";
import { linkRows } from "./link-rows.ts";
import { operationRows } from "./operation-rows.ts";
import { pathRows } from "./path-rows.ts";
import { protectionRows } from "./protection-rows.ts";
import type { Row } from "./row.ts";

export const rows: readonly Row[] = [
  ...pathRows,
  ...linkRows,
  ...protectionRows,
  ...operationRows,
  ...contentRows,
  ...jsonRows,
  ...extractionRows,
];
