/**
 * Verdict of a check. `fails`: a first deployment would fail. `warns`: it would succeed, and something needs
 * attention. `unseen`: no read-only call shows it. `unasked`: AWS did not answer, which never counts as success.
 */
export type Verdict = "well" | "fails" | "warns" | "unseen" | "unasked";

/** Result of a check. */
export interface Result {
  readonly verdict: Verdict;
  readonly says: string;
  readonly todo?: string | undefined;
}

/** Result with what it is about, such as "CDK". */
export interface Finding extends Result {
  readonly about: string;
}

export const well = (says: string): Result => ({ verdict: "well", says });
export const fails = (says: string, todo: string): Result => ({ verdict: "fails", says, todo });
export const warns = (says: string, todo?: string): Result => ({ verdict: "warns", says, todo });

/** Asks AWS about one thing. */
export interface Check {
  readonly about: string;
  /** IAM actions of the check's calls. */
  readonly actions: readonly string[];
  readonly run: () => Promise<Result | Result[]>;
}

/** Runs a check. Without an answer of AWS, the finding says so. */
export async function runCheck({ about, actions, run }: Check): Promise<Finding[]> {
  try {
    return [await run()].flat().map((result) => ({ about, ...result }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A mistake of ours is not a response of AWS's.
    if (error instanceof TypeError && !("code" in error)) throw error;
    const says = `could not be asked: ${error.name}: ${error.message}`;
    const todo = `Allow ${actions.join(", ")} (\`preflight --policy\` prints all of it), and ask again.`;
    return [{ verdict: "unasked", about, says, todo }];
  }
}

/** Makes a handler of rejections, for errors by which AWS says that a thing does not exist. */
export const undefinedFor =
  (...names: readonly string[]) =>
  (error: Error): undefined => {
    if (!names.includes(error.name)) throw error;
  };

/** Collects the items of a listing that the AWS SDK reads page by page. */
export async function everyItem<Name extends string, Item>(
  pages: AsyncIterable<{ readonly [Field in Name]?: readonly Item[] | undefined }>,
  name: Name,
): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...(page[name] ?? []));
  return all;
}
