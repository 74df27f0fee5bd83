import { acpCrews } from "./crew-acp.ts";
import { hostileEndings } from "./hostile-endings.contract.ts";

for (const client of acpCrews) hostileEndings(client);
