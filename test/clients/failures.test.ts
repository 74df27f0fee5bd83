import { crews } from "./crews.ts";
import { failures } from "./failures.ts";

for (const client of crews) failures(client);
