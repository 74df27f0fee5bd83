import { acpCrews } from "./crew-acp.ts";
import { failures } from "./failures.contract.ts";

for (const client of acpCrews) failures(client);
