/** Kind of the tool that made an artefact: each kind needs other features of a browser. */
type ArtefactKind = "report" | "docs" | "chart" | "slides" | "site" | "demo";

/** A page or folder that a tool makes, how to build it, and what a reader does with it. */
export interface Artefact {
  /** Also the name of its folder and of its host on the plain server. */
  readonly name: string;
  readonly kind: ArtefactKind;
  /** Exact versions of npm packages that are installed with all that they depend on; the first is the one that the artefact is about. */
  readonly packages?: Readonly<Record<string, string>>;
  /** Exact versions of npm packages whose files need nothing else, such as a library's build for browsers. */
  readonly ready?: Readonly<Record<string, string>>;
  /** Programs of the machine. The artefact is left out where one is missing. */
  readonly programs?: readonly string[];
  /** Folders of `samples` that are copied into the build's folder. */
  readonly samples?: readonly string[];
  /** Files that are written into the build's folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files and folders of `ready` packages that are copied into the build's folder, by path there: `package/path`. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Lines of a shell, run in the build's folder with the packages' programs in its path. */
  readonly run?: readonly string[];
  /** Folder of the result, with `index.html`. @default "out" */
  readonly output?: string;
  /** Selector of what a reader clicks on the first page. @default - nothing */
  readonly click?: string;
  /** Selector of a link to another page. @default - it has no other page */
  readonly inner?: string;
  /** It is built in few seconds and shows a way of its own: the tests before each change have it. @default false */
  readonly isLight?: boolean;
}

/** `package@version` of the tool, or the program that made the artefact. */
export function sourceOf({ packages = {}, ready = {}, programs = [] }: Artefact): string {
  if (programs.length > 0) return `Debian ${programs.join(", ")}`;
  const [first] = Object.entries({ ...packages, ...ready });
  return first?.join("@") ?? "the page's own files";
}
