/**
 * How large a test is: a sample in `npm test`, the whole number in `npm run campaign`. Both run the same test, so the
 * campaign can find nothing that the sample would not recognise.
 */
import process from "node:process";

export function sized<Size>({ sample, campaign }: { readonly sample: Size; readonly campaign: Size }): Size {
  return isCampaign ? campaign : sample;
}

/** Set by `scripts/campaign.mjs`, which runs the test files that import this one. */
export const isCampaign = process.env.COX_CAMPAIGN === "1";
