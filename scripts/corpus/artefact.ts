/** Kind of an artefact. Each kind needs different browser features. */
type ArtefactKind = "report" | "docs" | "chart" | "slides" | "site" | "demo";

/** Definition of a page or folder that a tool builds, and the steps that a reader takes on it. */
export interface Artefact {
  /** Name of the artefact. Also the name of its folder, and of its host on the plain server. */
  readonly name: string;
  readonly kind: ArtefactKind;
  /** Exact versions of npm packages to install with their dependencies. The first package is the tool under test. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Exact versions of npm packages that are used without their dependencies, such as libraries' browser builds. */
  readonly ready: Readonly<Record<string, string>>;
  /** Files and folders of `ready` packages to copy into the result. The key is the target path, the value is `package@version/path`. */
  readonly copies: Readonly<Record<string, string>>;
  /** Required programs. If one is missing on a machine, the artefact is skipped. */
  readonly programs?: readonly string[];
  /** Folders in `samples` to copy into the build's folder. */
  readonly samples?: readonly string[];
  /** Contents of files to write into the build's folder, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Shell commands, run in the build's folder with the packages' programs in `PATH`. */
  readonly run?: readonly string[];
  /** Folder that contains the built artefact. @default "out" */
  readonly output?: string;
  /** Page that the built artefact must contain. @default "index.html" */
  readonly entry?: string;
  /** Selector of the element that the reader clicks on the first page. @default - no click */
  readonly click?: string;
  /** Selector of a link to another page. @default - the artefact has only one page */
  readonly inner?: string;
  /**
   * True if the artefact builds in seconds and uses a technique that no other does. Such artefacts are tested with each change. @default
   * false
   */
  readonly isLight?: boolean;
}

/** Short definition of an artefact, from which `artefactsOf` derives the rest. */
interface Recipe extends Partial<Omit<Artefact, "name" | "ready" | "copies">> {
  /**
   * Package files and folders to copy, by `package@version`: an object from target path to source path, or a list of paths that stay the
   * same.
   */
  readonly beside?: Readonly<Record<string, Readonly<Record<string, string>> | readonly string[]>>;
  /** HTML of the page's body, like the first example in a library's documentation. @default - the build writes the page */
  readonly body?: string;
  /** HTML to add to the page's head, if `body` is set. */
  readonly head?: string;
}

const meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';

/** Creates artefacts from their short definitions (recipes), keyed by name. `kind` is the default kind. */
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

/** Returns the source of an artefact: the tool's `package@version`, or Debian's programs. */
export function sourceOf({ packages = {}, ready, programs = [] }: Artefact): string {
  if (programs.length > 0) return `Debian ${programs.join(", ")}`;
  const [first] = Object.entries({ ...packages, ...ready });
  return first?.join("@") ?? "the page's own files";
}
