/**
 * Verdict of a check. `fails`: a first deployment would fail. `warns`: it would succeed, and something needs
 * attention. `unseen`: no read-only call shows it. `unasked`: AWS did not answer, which never counts as success.
 */
export type Verdict = "well" | "fails" | "warns" | "unseen" | "unasked";

/** One thing that a first deployment depends on, and how it stands. */
export interface Finding {
  readonly verdict: Verdict;
  /** Such as "CDK". */
  readonly about: string;
  readonly says: string;
  readonly todo?: string;
}

/** Result of a check, which knows what it is about. */
export type Result = Omit<Finding, "about">;

/** Result without anything to do. */
export const well = (says: string): Result => ({ verdict: "well", says });

/** Result that would make a deployment fail, and what to do about it. */
export const fails = (says: string, todo: string): Result => ({ verdict: "fails", says, todo });

/** Result that needs attention, and what to do about it. */
export const warns = (says: string, todo?: string): Result => {
  return { verdict: "warns", says, ...(todo === undefined ? {} : { todo }) };
};

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

/** Every item of a listing that goes by markers. */
export async function everyPage<Page, Item>(
  read: (marker: string | undefined) => Promise<Page>,
  take: (page: Page) => [items: readonly Item[] | undefined, next: string | undefined],
): Promise<Item[]> {
  const all: Item[] = [];
  let marker: string | undefined;
  do {
    const [items = [], next] = take(await read(marker));
    all.push(...items);
    marker = next === "" ? undefined : next;
  } while (marker !== undefined);
  return all;
}
