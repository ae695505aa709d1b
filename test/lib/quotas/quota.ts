/** A template in CloudFormation's format. */
export interface StackTemplate {
  readonly Description?: string;
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Outputs?: Readonly<Record<string, unknown>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
  readonly Resources: Readonly<Record<string, StackResource>>;
}

export interface StackResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape depends on the type.
  readonly Properties?: any;
}

/** Uses of a quota, by logical id or for the whole stack. */
export type Uses = Readonly<Record<string, number>>;

/** A quota whose use can be counted in a template. */
interface CountedQuota {
  /** The quota's name on the page. */
  readonly name: string;
  /** The page's default value. */
  readonly value: number;
  /** The maximum that a stack may use, which may depend on the kind of settings. It is well below the value where possible. */
  readonly bound: number | ((kind: string) => number);
  readonly count: (template: StackTemplate) => Uses;
  readonly reason?: undefined;
}

/** A quota that no template can exceed, or whose use cannot be counted in a template. */
interface ExplainedQuota {
  readonly name: string;
  readonly value: number | string;
  /** The reason why the quota does not apply, or the other check that covers it. */
  readonly reason: string;
  readonly count?: undefined;
}

/** A row of a quota page. Rows of an unused feature are merged into one row with the name of their section. */
export type Quota = CountedQuota | ExplainedQuota;

/** A quota page of AWS's documentation. */
export interface QuotaPage {
  /** The guide and the page's title. */
  readonly title: string;
  /** Prefixes of the resource types that the page covers. */
  readonly services: readonly string[];
  readonly quotas: readonly Quota[];
}

/** Reasons that many rows share. */
export const reasons = {
  rate: "A rate of calls at run time or during a deployment. CloudFormation retries throttled calls.",
  unused: "The stack does not use this feature.",
  size: "A size at run time, which is not in the template.",
} as const;
