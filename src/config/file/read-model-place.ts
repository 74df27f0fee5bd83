/** Reads the keys of a bare model: `api`, `url`, `key`. The secret key itself must not be in the file. */
import type { EntryContext } from "../../plan/read/entry.ts";
import type { YamlPair } from "../../plan/read/yaml-tree.ts";
import { isLoopback } from "../../std/is-loopback.ts";
import { quote } from "../../std/printable.ts";
import { localServers } from "../crew/model-place.ts";
import type { ConfigAgent } from "./config.ts";
import { readPlainWord } from "./plain-word.ts";

type ReadContext = EntryContext & { readonly text: string };

export function readApi(pair: YamlPair | undefined, reading: ReadContext): ConfigAgent["api"] {
  const word = readOne(pair, reading, "api: openai");
  const api = word?.text.toLowerCase();
  if (api === "anthropic" || api === "openai") return api;
  if (word === undefined) return undefined;
  reading.findings.block(
    "SCHEMA_RANGE",
    word.at,
    `api is anthropic or openai, not ${quote(word.text, 60)}`,
    "It is the language of the model's server: most speak as OpenAI's does, Ollama and LM Studio too.",
  );
  return undefined;
}

export function readUrl(pair: YamlPair | undefined, reading: ReadContext): string | undefined {
  const word = readOne(pair, reading, "url: http://127.0.0.1:11434/v1");
  if (word === undefined) return undefined;
  const { text, at } = word;
  const local = Object.hasOwn(localServers, text.toLowerCase())
    ? localServers[text.toLowerCase()]
    : undefined;
  if (local !== undefined) return local;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const { findings } = reading;
  if (
    url === undefined ||
    !["http:", "https:"].includes(url.protocol) ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    const hint = `Write where the server is, up to the part before /chat/completions or /messages: https://models.example.com/v1; or one of: ${Object.keys(localServers).join(", ")}.`;
    findings.block("CONFIG_BAD_URL", at, `${quote(text, 100)} is not the address of a model's server`, hint);
    return undefined;
  }
  if (url.username !== "" || url.password !== "") {
    const message = "url contains a user name or a password, which everybody who has this file would know";
    findings.block("CONFIG_BAD_URL", at, message, keyHint);
    return undefined;
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    const message = `what goes to ${quote(url.host, 100)} over http, and the key with it, can be read and changed on the way`;
    findings.warn("CONFIG_PLAIN_HTTP", at, message, "Write https://, or reach the server through a tunnel.");
  }
  return url.href.replace(/\/+$/, "");
}

/** The value is never shown: it may be the key itself. */
export function readKey(pair: YamlPair | undefined, reading: ReadContext): string | undefined {
  const word = readOne(pair, reading, "key: MY_API_KEY");
  if (word === undefined) return undefined;
  const { text, at } = word;
  if (/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(text) && !looksLikeKey(text)) return text;
  const message =
    "key must be the name of a variable, but this looks like a key itself, which everybody who has this file would know";
  reading.findings.block("CONFIG_KEY_VALUE", at, message, keyHint);
  return undefined;
}

const keyHint =
  "Put the key into a variable of your own environment and write its name: key: MY_API_KEY. If the key was committed, replace it.";

/** Variable names are words; keys are long mixes of lower-case letters and digits. */
function looksLikeKey(text: string): boolean {
  return (
    /^(sk|pk|rk|gsk|xai|hf|AIza|key)[-_]?\w{16,}$/.test(text) ||
    (/[a-z]/.test(text) && /\d/.test(text) && text.length >= 24)
  );
}

function readOne(pair: YamlPair | undefined, reading: ReadContext, example: string) {
  return readPlainWord(pair, reading, { example, lengthMax: 500, isHidden: true });
}
