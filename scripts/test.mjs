/**
 * `npm test`: everything that says whether the house is in order, the large tests by a sample. Ready, the checks, then
 * the layers; `npm test -- unit crash` runs these only. The last line is the count.
 */
import { runLayers, usualLayers } from "./layers.mjs";

await runLayers({ asked: process.argv.slice(2), usual: ["check", ...usualLayers] });
