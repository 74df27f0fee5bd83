/** Every test in one process: a fresh one for each file would take longer than the tests. */
import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).sort();
for (const name of names) if (name.endsWith(".test.js")) await import(`./${name}`);
