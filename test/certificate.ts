/** A certificate for a host that does not exist, made anew for each test; nothing where openssl is not installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Of the certificate, for whoever is to trust it. */
  readonly path: string;
}

export function certificateFor(host: string): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), "cox-certificate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, path] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const { status } = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", path],
    ...["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`],
  ]);
  return status === 0 ? { key: readFileSync(key), cert: readFileSync(path), path } : undefined;
}
