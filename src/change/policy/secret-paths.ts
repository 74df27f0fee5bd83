/**
 * Files whose very name says that they hold secrets. They are neither written nor shown: a model does not need them,
 * and its reply would carry the secret. Templates of such files are ordinary files.
 */
import { oneLine, quote } from "../../std/printable.ts";
import type { Problem } from "../../std/problem.ts";
import { anywhereGlob } from "../glob.ts";
import { foldPath } from "../path.ts";

export function secretPath(path: string): Problem | undefined {
  const folded = foldPath(path);
  if (!isSecret(folded) || isTemplate(folded)) return undefined;
  return {
    code: "PATH_SECRET",
    message: `${quote(path)} is a file that holds secrets; replies may neither read nor write it`,
    hint: "Describe what is needed in a template such as .env.example, and let a person fill in the secret.",
    path: oneLine(path),
  };
}

const isTemplate = anywhereGlob(`
  .env.example .env.sample .env.template .env.dist .envrc.example .envrc.sample .envrc.template
  .env.*.example .env.*.sample .env.*.template .env.*.dist
`);

const isSecret = anywhereGlob(`
  .env .env.* .envrc .envrc.* .netrc _netrc .pgpass .my.cnf .mylogin.cnf .htpasswd .git-credentials .pypirc
  .vault-token .dockercfg .boto .s3cfg
  id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk service-account*.json
  *.pem *.key *.p8 *.p12 *.pfx *.pkcs12 *.jks *.keystore *.ppk *.kdbx
  .ssh/ .gnupg/ .aws/ .azure/ .config/gcloud/ .config/gh/
  .kube/config .docker/config.json .cargo/credentials .cargo/credentials.toml .gem/credentials
  .terraform.d/credentials.tfrc.json
`);
