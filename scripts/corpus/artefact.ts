/** Kind of the tool that made an artefact. Each kind needs different browser features. */
type ArtefactKind = "report" | "docs" | "chart" | "slides" | "site" | "demo";

/** A page or folder made by a tool, with its build and a reader's steps. */
export interface Artefact {
  /** Name of the artefact, its folder, and its host on the plain server. */
  readonly name: string;
  readonly kind: ArtefactKind;
  /** Exact versions of npm packages that are installed with their dependencies. The first is the tool that the artefact tests. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Exact versions of npm packages whose files have no dependencies, such as a library's browser build. */
  readonly ready: Readonly<Record<string, string>>;
  /** Files and folders of `ready` packages to copy into the result: `package@version/path` by target path. */
  readonly copies: Readonly<Record<string, string>>;
  /** Required programs. The artefact is left out on a machine that lacks one. */
  readonly programs?: readonly string[];
  /** Folders of `samples` that are copied into the build's folder. */
  readonly samples?: readonly string[];
  /** Files that are written into the build's folder, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Shell commands, run in the build's folder with the packages' programs in the path. */
  readonly run?: readonly string[];
  /** Folder of the result. @default "out" */
  readonly output?: string;
  /** A page that the result must have. @default "index.html" */
  readonly entry?: string;
  /** Selector of what a reader clicks on the first page. @default - nothing */
  readonly click?: string;
  /** Selector of a link to another page. @default - there is only one page */
  readonly inner?: string;
  /** It builds in seconds and covers a technique that no other artefact has, so the tests before each change include it. @default false */
  readonly isLight?: boolean;
}

/** The parts of an artefact that its name, its kind and its page do not give. */
interface Recipe extends Partial<Omit<Artefact, "name" | "ready" | "copies">> {
  /** Files and folders of packages, by `package@version`: by their path in the result, or a list of those that keep theirs. */
  readonly beside?: Readonly<Record<string, Readonly<Record<string, string>> | readonly string[]>>;
  /** Body of a page like the first example in a library's documentation: elements, then a script. @default - the build makes the page */
  readonly body?: string;
  /** Elements in the head of that page. */
  readonly head?: string;
}

const meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';

/** Makes artefacts of recipes by name. The kind is that of the recipes that name no other. */
export function artefactsOf(kind: ArtefactKind, recipes: Readonly<Record<string, Recipe>>): Artefact[] {
  return Object.entries(recipes).map(([name, { beside = {}, head = "", body, files = {}, ...recipe }]) => {
    const page = `<!doctype html>\n<html lang="en"><head>${meta}<title>${name}</title>\n${head}</head><body>\n${body}\n</body></html>\n`;
    const copies = Object.entries(beside).flatMap(([spec, paths]) =>
      Object.entries(paths).map(([path, from]) => [Array.isArray(paths) ? from : path, `${spec}/${from}`]),
    );
    return {
      name,
      kind,
      ...recipe,
      ready: Object.fromEntries(Object.keys(beside).map((spec) => spec.split(/(?<=.)@/))),
      copies: Object.fromEntries(copies),
      files: body === undefined ? files : { ...files, "out/index.html": page },
    };
  });
}

/** `package@version` of the tool, or the program that made the artefact. */
export function sourceOf({ packages = {}, ready, programs = [] }: Artefact): string {
  if (programs.length > 0) return `Debian ${programs.join(", ")}`;
  const [first] = Object.entries({ ...packages, ...ready });
  return first?.join("@") ?? "the page's own files";
}
