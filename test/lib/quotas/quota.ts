/** A template as CloudFormation gets it. */
export interface StackTemplate {
  readonly Description?: string;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Resources: Readonly<Record<string, StackResource>>;
}

export interface StackResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is CloudFormation's, and each row knows its own.
  readonly Properties?: any;
}

/** Use of a quota by what uses it: a logical id, or the whole stack. */
export type Uses = Readonly<Record<string, number>>;

/** A quota whose use shows in a template. */
interface CountedQuota {
  /** The page's name of it. */
  readonly name: string;
  /** The page's default value. */
  readonly value: number;
  /** The most that a stack may use, for a kind of settings where it differs: well below the value where the value allows it. */
  readonly bound: number | ((kind: string) => number);
  readonly count: (template: StackTemplate) => Uses;
  readonly reason?: undefined;
}

/** A quota that no template can meet, or whose use no template shows. */
interface ExplainedQuota {
  readonly name: string;
  readonly value: number | string;
  /** Why it does not apply, or who else watches it. */
  readonly reason: string;
  readonly count?: undefined;
}

/** A row of a quota page. Rows of a feature that the stack does not use are one row, by the name of their section. */
export type Quota = CountedQuota | ExplainedQuota;

/** A quota page of AWS's documentation, row by row. */
export interface QuotaPage {
  /** The guide and the page's title. */
  readonly title: string;
  /** The prefixes of the resource types that it is about. */
  readonly services: readonly string[];
  readonly quotas: readonly Quota[];
}

/** Reasons that many rows share. */
export const reasons = {
  rate: "A rate of calls at run time or while CloudFormation works, which retries calls that are throttled.",
  unused: "The stack does not use this feature.",
  size: "A size at run time: no template shows it.",
} as const;
