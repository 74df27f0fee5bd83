/**
 * Files that hold secrets by their very name. They are neither written nor shown: a model has no business with
 * them, and its reply would carry the secret. Templates of them are ordinary files.
 */
import type { Problem } from "../std/problem.ts";
import { anyGlob } from "./glob.ts";
import { foldPath } from "./path.ts";
import { printable, quote } from "./quote.ts";

export function secretPath(path: string): Problem | undefined {
  const folded = foldPath(path);
  if (!isSecret(folded) || isTemplate(folded)) return undefined;
  return {
    code: "PATH_SECRET",
    message: `${quote(path)} is a file that holds secrets; replies may neither read nor write it`,
    hint: "Describe what is needed in a template such as .env.example, and let a person fill in the secret.",
    path: printable(path),
  };
}

const isTemplate = anyGlob(
  ["example", "sample", "template", "dist"].flatMap((end) => [
    `**/.env.${end}`,
    `**/.env.*.${end}`,
    `**/.envrc.${end}`,
  ]),
);

const isSecret = anyGlob([
  ...["**/.env", "**/.env.*", "**/.envrc", "**/.envrc.*"],
  ...["rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk"].map((kind) => `**/id_${kind}`),
  ...["pem", "key", "p12", "pfx", "jks", "keystore", "ppk", "kdbx", "p8", "pkcs12"].map(
    (end) => `**/*.${end}`,
  ),
  ...[
    "**/.netrc",
    "**/_netrc",
    "**/.pgpass",
    "**/.my.cnf",
    "**/.htpasswd",
    "**/.git-credentials",
    "**/.pypirc",
  ],
  ...["**/.vault-token", "**/.dockercfg", "**/.boto", "**/.s3cfg", "**/.npmrc.secret", "**/.mylogin.cnf"],
  ...["**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.azure/**", "**/.config/gcloud/**", "**/.config/gh/**"],
  ...["**/.kube/config", "**/.docker/config.json", "**/.cargo/credentials", "**/.cargo/credentials.toml"],
  ...["**/.gem/credentials", "**/.terraform.d/credentials.tfrc.json", "**/service-account*.json"],
]);
