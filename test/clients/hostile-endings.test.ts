import { crews } from "./crews.ts";
import { hostileEndings } from "./hostile-endings.contract.ts";

for (const client of crews) hostileEndings(client);
