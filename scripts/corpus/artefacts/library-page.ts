import type { Artefact } from "../artefact.ts";

/** A page made by a library's browser build, whose files are beside the page. */
type LibraryPage = Omit<Artefact, "files" | "copies"> & {
  readonly ready: Readonly<Record<string, string>>;
  /** Files of the packages, by their path beside the page. */
  readonly beside: Readonly<Record<string, string>>;
  readonly head?: string;
  readonly body: string;
};

/** Makes the artefact of a page like the first example in the library's documentation: elements, then a script. */
export function libraryPage({ beside, head = "", body, ...artefact }: LibraryPage): Artefact {
  const title = artefact.name;
  const meta = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">';
  const page = `<!doctype html>\n<html lang="en"><head>${meta}<title>${title}</title>\n${head}</head><body>\n${body}\n</body></html>\n`;
  return {
    ...artefact,
    files: { "out/index.html": page },
    copies: Object.fromEntries(Object.entries(beside).map(([path, from]) => [`out/${path}`, from])),
  };
}
