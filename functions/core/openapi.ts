import { limits } from "./limits.ts";
import type { DocumentSite } from "./written-site.ts";

/** The part of the OpenAPI document that describes one feature, from the feature's `openapi.ts`. */
export interface FeatureDescription {
  readonly fields?: Readonly<Record<string, string>>;
  readonly pathParameters?: DescribedPathParameters;
  readonly queryParameters?: DescribedParameters;
  readonly notes?: Readonly<Record<string, string>>;
  readonly examples?: (site: DocumentSite) => OperationExamples;
}

/** Examples by operation id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** Example of a call and its response. */
export interface OperationExample {
  /** The request's JSON body, or the fields of its form. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The JSON response. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** The JSON response with status 202, while the result is pending. @default - the operation never responds with 202 */
  readonly accepted?: Readonly<Record<string, unknown>>;
}

/** Descriptions of query parameters. Their schemas are in the definitions of the operations. */
export type DescribedParameters = Readonly<
  Record<string, { readonly description: string; readonly example: unknown }>
>;

/** Descriptions of path parameters, with their schemas, because the definitions of the operations contain none. */
export type DescribedPathParameters = Readonly<
  Record<string, DescribedParameters[string] & { readonly schema: Readonly<Record<string, unknown>> }>
>;

/** The owner in all examples. */
export const exampleNamespace = "ada";

/** The drop in all examples. */
export const exampleSlug = "aB3dE5f";

/** The entity tag of the example drop. */
export const exampleEntityTag = '"4-mkfz5y80"';

/** The account in all examples. */
export const exampleUserId = "u5T2kQ9bV7cX1mN4";

/** The token in all examples. */
export const exampleToken = "hb_0123456789ABCDEFGHIJabcdefghij012345";

/** Time at which the example drop was published. */
export const exampleCreatedAtMs = Date.UTC(2026, 0, 15, 9, 30);

/** Time of the latest change of the example drop. */
export const exampleUpdatedAtMs = exampleCreatedAtMs + 86_400_000;

/** Describes the parameter `wait` of a call that waits for a new item. @param item the item's name, such as "comment" */
export function waitParameter(item: string): DescribedParameters[string] {
  return {
    description: `Seconds to wait for a new ${item} if the list is empty, at most ${limits.feedbackWaitSecondsMax}. The response is sent when the ${item} arrives or the time is up. Only a few calls can wait at the same time. Other calls get a response at once.`,
    example: 20,
  };
}

/** Descriptions of fields that have the same meaning in every schema, by name. */
export const sharedFields: Readonly<Record<string, string>> = {
  allow_secrets: `Reason for storing likely secrets, if the setting \`secretScan\` refuses them: at most ${limits.noteCodePointsMax} characters, without the secret. The audit trail records the reason.`,
  context: `Opt-in notes on how the page was made, such as the prompt: at most ${limits.contextCodePointsMax} characters. Readers of the page can open the notes. JSON responses never contain them.`,
  created_at: "Unix time in milliseconds.",
  description: `At most ${limits.descriptionCodePointsMax} characters, shown in the viewer; null for none.`,
  filename: `At most ${limits.blobFilenameCharactersMax} letters, digits, dashes, dots and spaces.`,
  html: `A complete HTML document: at most ${limits.htmlBytesMax} bytes in UTF-8.`,
  answers:
    "`readers`: readers may answer the page's forms that have the attribute `data-answers`. `off`: they may not. Absent: unchanged; `off` for a new drop. `GET /api/drops/{slug}/answers` lists the answers.",
  answers_results:
    "true: an element of the page with `data-answers-results` shows readers the counts of choices. Absent: unchanged; false for a new drop.",
  feedback:
    "`readers`: the drop's readers may comment. `off`: they may not. Absent: unchanged; for a new drop, `readers` if its visibility is `members` or `people`, otherwise `off`. `GET /api/feedback` lists the comments.",
  indexed:
    "true: search engines may list the drop. It must be `public` and have no passcode. Absent: unchanged; false for a new drop. Restricting or locking the drop sets it to false.",
  latest_version: "The number of the latest version.",
  metadata: `The owner's tags. Shown in the library only to the drop's readers, never in public. At most ${limits.metadataKeysMax} keys, each value at most ${limits.metadataValueCodePointsMax} characters. In a request it replaces the whole map; if absent, tags stay unchanged; \`{}\` removes all.`,
  original_date:
    "Date on which this version was first published, for example on another service, as stated by the owner. Time limits such as expiry are counted from `created_at`, which the service sets.",
  note: `Summary of the changes in this version, on one line: at most ${limits.noteCodePointsMax} characters. Shown in the list of versions.`,
  passcode: `At least ${limits.passcodeCodePointsMin} characters after Unicode normalization (NFKC), and at most ${limits.passcodeBytesMax} bytes. An empty string means no passcode.`,
  readers: `The readers of the drop or file, if its visibility is \`people\`: 1 to ${limits.readersPerDropMax} e-mail addresses, domains such as \`@example.com\`, user names (\`username:ada\`, or \`ada\`), or groups of the identity provider (\`group:engineering\`). Only groups are case-sensitive. This list replaces the earlier one.`,
  size_bytes: "Size in bytes.",
  slug: "The drop's permanent identifier.",
  title: `1 to ${limits.titleCodePointsMax} characters; white space at the ends is removed.`,
  updated_at: "Unix time in milliseconds.",
  user_id: "The account's permanent identifier.",
  visibility:
    "Who may read the drop. `public`: anyone. `unlisted`: anyone with the link; the owner's page does not list it. `members`: members of this service. `people`: the people in `readers`. Absent: unchanged; for a new drop, the operator's default, which is `public` unless it is changed.",
};

/** Descriptions of schemas and their fields, by the schema's name and the field's path in it. */
export const fields: Readonly<Record<string, string>> = {
  Error: "Every error has this shape. Branch on `error.code`, never on `error.message`.",
  "Error.error.code": "The cause of the error, for programs to branch on.",
  "Error.error.details": "Details of the cause: the field, its value, the allowed values.",
  "Error.error.message": "For people: the problem, and how to correct it. The wording may change.",
  "Error.error.details.expected":
    "With 400 or 404, the expected call: its fields with type and limits, and a working example. With an unknown path or method, the call of the nearest operation.",
  "Error.error.details.retry_after_seconds":
    "With 429 and 503: the same number as in the header Retry-After.",
  Warnings: "Warnings in a successful response to a call that probably contains a mistake.",
  "Warnings.warnings":
    "Likely mistakes, such as unknown fields and parameters, or content that is not a page. Each sentence says what to send instead. Absent if there are none.",
};
