/**
 * Runs a program where it can be confined, but where its changes cannot be thrown away: its temporary folder, where it
 * tries what the machine allows, is inside as many overlays as the kernel can stack.
 */
import { spawnSync } from "node:child_process";

const script = `
at="$1"; shift
mount -t tmpfs none "$at" && cd "$at" && mkdir 0 1 2 upper1 upper2 work1 work2 || exit 1
for n in 1 2; do
  mount -t overlay -o "lowerdir=$at/$((n - 1)),upperdir=$at/upper$n,workdir=$at/work$n,userxattr" none "$at/$n" || exit 1
done
cd "$OLDPWD"; TMPDIR="$at/2"; export TMPDIR
exec "$@"
`;

/** The command to run it under, with an empty folder to use; `undefined` if this machine cannot do it. */
export function withoutLayers(folder: string): readonly string[] | undefined {
  const [unshare, ...args] = [
    ...["unshare", "--user", "--map-root-user", "--mount", "--"],
    ...["sh", "-c", script, "sh", folder],
  ] as [string, ...string[]];
  return spawnSync(unshare, [...args, "true"]).status === 0 ? [unshare, ...args] : undefined;
}
