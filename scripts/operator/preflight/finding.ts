/**
 * Verdict of a check. `fails`: a deployment would fail. `warns`: a deployment would succeed, but something needs attention. `unknown`: no
 * read-only call can check this. `unchecked`: AWS did not respond, or refused the call, so the preflight fails.
 */
export type Verdict = "well" | "fails" | "warns" | "unknown" | "unchecked";

/** Result of a check. */
export interface Result {
  readonly verdict: Verdict;
  readonly says: string;
  readonly todo?: string | undefined;
}

/** Result of a check, with the subject of the check, such as "CDK". */
export interface Finding extends Result {
  readonly about: string;
}

export const well = (says: string): Result => ({ verdict: "well", says });
export const fails = (says: string, todo: string): Result => ({ verdict: "fails", says, todo });
export const warns = (says: string, todo?: string): Result => ({ verdict: "warns", says, todo });

/** A check of one subject. */
export interface Check {
  readonly about: string;
  /** IAM actions that the check needs. */
  readonly actions: readonly string[];
  readonly run: () => Promise<Result | Result[]>;
}

/** Runs a check. If AWS does not respond or refuses a call, returns an `unchecked` finding. */
export async function runCheck({ about, actions, run }: Check): Promise<Finding[]> {
  try {
    return [await run()].flat().map((result) => ({ about, ...result }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A TypeError without a code is a bug in our code, not a response from AWS.
    if (error instanceof TypeError && !("code" in error)) throw error;
    const says = `could not be checked: ${error.name}: ${error.message}`;
    const todo = `Allow ${actions.join(", ")} (\`preflight --policy\` prints all permissions), and run preflight again.`;
    return [{ verdict: "unchecked", about, says, todo }];
  }
}

/** Creates a rejection handler that returns undefined for these errors, which mean that a resource is missing. */
export const undefinedFor =
  (...names: readonly string[]) =>
  (error: Error): undefined => {
    if (!names.includes(error.name)) throw error;
  };

/** Collects all items from the pages of an AWS SDK paginator. `name` is the field of a page that contains the items. */
export async function everyItem<Name extends string, Item>(
  pages: AsyncIterable<{ readonly [Field in Name]?: readonly Item[] | undefined }>,
  name: Name,
): Promise<Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(...(page[name] ?? []));
  return all;
}
