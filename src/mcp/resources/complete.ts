/**
 * Completes what somebody is typing: document paths, section slugs, runs, tasks. Names that start with it come first,
 * then those that contain it.
 */
import type { CompleteRequestParams, CompleteResult } from "@modelcontextprotocol/server";
import { activeList, addressText, type DocumentPath, readAddress } from "../../document/address.ts";
import type { Library } from "../../document/store.ts";
import {
  archiveTemplate,
  documentTemplate,
  runTemplate,
  type Shelves,
  sectionTemplate,
} from "./resources.ts";
import { runViews } from "./runs.ts";

export function completeArgument(shelves: Shelves, params: CompleteRequestParams): CompleteResult {
  const { ref, argument, context } = params;
  const names =
    ref.type === "ref/prompt"
      ? argument.name === "task"
        ? taskNames(shelves.store, argument.value)
        : []
      : resourceNames(shelves, {
          template: ref.uri,
          variable: argument.name,
          path: context?.arguments?.path,
        });
  const found = fitting(names, argument.value);
  return {
    completion: {
      values: found.slice(0, valuesMax),
      total: found.length,
      hasMore: found.length > valuesMax,
    },
  };
}

/** The protocol's own limit. */
const valuesMax = 100;

interface Place {
  readonly template: string;
  readonly variable: string;
  /** The path chosen before. */
  readonly path: string | undefined;
}

function resourceNames({ store, runs }: Shelves, { template, variable, path }: Place): readonly string[] {
  const isDocument = template === documentTemplate || template === sectionTemplate;
  if (isDocument && variable === "path") return store.list().map((one) => one.path.slice(1));
  if (template === sectionTemplate && variable === "slug") return slugsOf(store, `/${path ?? ""}`);
  if (template === archiveTemplate) return store.archive().map((one) => one.path.slice("/archived/".length));
  if (template !== runTemplate) return [];
  return variable === "view" ? runViews : runs.list();
}

function slugsOf(store: Library, path: string): readonly string[] {
  const read = readAddress(path);
  if ("problem" in read) return [];
  return store.read(read.address.path).document?.sections.all.map(({ slug }) => slug) ?? [];
}

/** Tasks of the document named so far; before that, the coordinator's tasks and the paths of documents. */
function taskNames(store: Library, typed: string): readonly string[] {
  const hash = typed.indexOf("#");
  if (hash !== -1) return tasksOf(store, typed.slice(0, hash));
  return [...tasksOf(store, activeList), ...store.list().map(({ path }) => path as string)];
}

function tasksOf(store: Library, spelled: string): readonly string[] {
  const read = readAddress(spelled);
  if ("problem" in read) return [];
  const path: DocumentPath = read.address.path;
  const tasks = store.read(path).document?.tasks.tasks ?? [];
  return tasks.map(({ id }) => addressText({ path, slug: id }));
}

function fitting(names: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const begins = names.filter((name) => name.toLowerCase().startsWith(wanted));
  const contains = names.filter((name) => name.toLowerCase().indexOf(wanted) > 0);
  return [...begins, ...contains];
}
