import { crews } from "./crews.ts";
import { failures } from "./failures.contract.ts";

for (const client of crews) failures(client);
