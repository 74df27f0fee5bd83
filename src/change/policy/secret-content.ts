/**
 * Finds secrets in file text by their issuers' formats. Only what the change adds counts. No message shows the secret:
 * its place and kind are enough to find it.
 */
import { lineAt } from "../../std/place.ts";
import type { Problem } from "../../std/problem.ts";

/** Reports the kinds and lines of the secrets in `after` that are not in `before`. */
export function secretContent(before: string, after: string): Omit<Problem, "path"> | undefined {
  const known = new Set([...secretsIn(before)].map(({ text }) => text));
  const found = [...secretsIn(after)].filter(({ text }) => !known.has(text));
  if (found.length === 0) return undefined;
  const shown = found
    .slice(0, 5)
    .map(({ what, at }) => `${what} in line ${lineAt(after, at)}`)
    .join(", ");
  const more = found.length > 5 ? `, and ${found.length - 5} more` : "";
  return {
    code: "CONTENT_SECRET",
    message: `the new content seems to hold a secret: ${shown}${more}`,
    hint: "Read the secret from the environment instead; if it is a made-up value, a person can allow it.",
  };
}

function* secretsIn(text: string): Generator<{ what: string; text: string; at: number }> {
  for (const { what, pattern } of secretShapes) {
    for (const match of text.matchAll(pattern)) yield { what, text: match[0], at: match.index };
  }
}

/** Each pattern begins with fixed text and has no nested repetition, so searching is linear. */
export const secretShapes: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  {
    what: "a private key",
    pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----[^-]{0,200}/g,
  },
  { what: "a PuTTY private key", pattern: /PuTTY-User-Key-File-\d/g },
  { what: "an age secret key", pattern: /AGE-SECRET-KEY-1[0-9A-Z]{58}/g },
  { what: "an AWS access key", pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g },
  // Names in kebab case (sk-loading-indicator-large) are not keys: there must be a digit or an upper-case letter.
  { what: "an API key (sk-…)", pattern: /(?<![\w-])sk-(?=[a-z_-]{0,200}[A-Z0-9])[\w-]{20,200}/g },
  { what: "an API key (sk-…)", pattern: /(?<![\w-])sk-[a-z]{20,200}/g },
  { what: "a Stripe key", pattern: /(?<!\w)[sr]k_live_[0-9A-Za-z]{16,200}/g },
  { what: "a GitHub token", pattern: /(?<!\w)gh[pousr]_[0-9A-Za-z]{36,255}/g },
  { what: "a GitHub token", pattern: /(?<!\w)github_pat_\w{22,255}/g },
  { what: "a GitLab token", pattern: /(?<!\w)gl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{20,255}/g },
  { what: "a Slack token", pattern: /(?<!\w)xox[abeoprs]-[\w-]{10,255}/g },
  { what: "a Slack webhook", pattern: /hooks\.slack\.com\/services\/T\w{6,20}\/B\w{6,20}\/\w{16,40}/g },
  { what: "a Google API key", pattern: /(?<!\w)AIza[\w-]{35}(?![\w-])/g },
  { what: "a Google OAuth secret", pattern: /(?<!\w)GOCSPX-[\w-]{28}/g },
  { what: "an npm token", pattern: /(?<!\w)npm_[0-9A-Za-z]{36}(?!\w)/g },
  { what: "an npm token", pattern: /:_authToken=(?!\$\{)[\w-]{16,200}/g },
  { what: "a PyPI token", pattern: /(?<!\w)pypi-AgE[\w-]{50,255}/g },
  { what: "a Hugging Face token", pattern: /(?<!\w)hf_[0-9A-Za-z]{34}(?!\w)/g },
  { what: "a SendGrid key", pattern: /(?<!\w)SG\.[\w-]{22}\.[\w-]{43}/g },
  { what: "an Azure storage key", pattern: /AccountKey=[0-9A-Za-z+/]{86}==/g },
  { what: "a DigitalOcean token", pattern: /(?<!\w)do[opr]_v1_[0-9a-f]{64}/g },
  { what: "a Telegram bot token", pattern: /(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])/g },
  { what: "a Databricks token", pattern: /(?<!\w)dapi[0-9a-f]{32}(?!\w)/g },
];
