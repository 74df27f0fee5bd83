/** The title of a run: that of its plan or, if it has none, the name of the plan's file. */
export function runTitle({
  title,
  plan_file,
}: {
  readonly title: string;
  readonly plan_file: string;
}): string {
  return title || fileTitle(plan_file);
}

/** `plans/limits.md` → `limits`. */
function fileTitle(file: string): string {
  if (file === "-") return "plan from standard input";
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/\.[^.]+$/, "") || name;
}
