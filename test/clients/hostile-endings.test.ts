import { crews } from "./crews.ts";
import { hostileEndings } from "./hostile-endings.ts";

for (const client of crews) hostileEndings(client);
