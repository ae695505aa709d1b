/**
 * What a check has seen. `fails`: a first deployment would fail. `warns`: it would not, and yet something is to be done.
 * `unseen`: nothing read-only shows it. `unasked`: AWS was not willing or able to say; never taken for well.
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

/** Asks AWS about one thing. */
export interface Check {
  readonly about: string;
  /** What its calls need, as IAM names it. */
  readonly actions: readonly string[];
  readonly run: () => Promise<Finding[]>;
}

/** What the check found or, where AWS did not answer it, that it could not be asked. */
export async function runCheck({ about, actions, run }: Check): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // A mistake of ours is not a response of AWS's.
    if (error instanceof TypeError && !("code" in error)) throw error;
    return [
      {
        verdict: "unasked",
        about,
        says: `could not be asked: ${error.name}: ${error.message}`,
        todo: `Allow ${actions.join(", ")} (\`preflight --policy\` prints all of it), and ask again.`,
      },
    ];
  }
}

/** Every page of a listing that goes by markers. */
export async function everyPage<Page, Item>(
  read: (marker: string | undefined) => Promise<Page>,
  take: (page: Page) => { readonly items: readonly Item[] | undefined; readonly next: string | undefined },
): Promise<Item[]> {
  const all: Item[] = [];
  let marker: string | undefined;
  do {
    const { items = [], next } = take(await read(marker));
    all.push(...items);
    marker = next === "" ? undefined : next;
  } while (marker !== undefined);
  return all;
}
