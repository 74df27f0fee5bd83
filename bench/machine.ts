/** The machine that the figures were measured on. */
import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, release, totalmem } from "node:os";

export function machineFacts(scratch: string): string[] {
  return [
    `Node ${process.versions.node}, ${process.platform} ${release()}`,
    `${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `${fileSystemOf(scratch)} file system; an fsync by ${process.env.UV_THREADPOOL_SIZE ?? 4} threads`,
  ];
}

function fileSystemOf(folder: string): string {
  const [, type = "unknown"] = execFileSync("df", ["--output=fstype", folder], { encoding: "utf8" }).split(
    "\n",
  );
  return type.trim();
}
