import { limits } from "../core/limits.ts";
import type { JsonSchema } from "./schemas.ts";
import type { DocumentSite } from "./written-site.ts";

/** Part of the OpenAPI document that one feature describes, in its `openapi.ts`. */
export interface FeatureDescription {
  readonly fields?: Readonly<Record<string, string>>;
  readonly pathParameters?: DescribedPathParameters;
  readonly queryParameters?: DescribedParameters;
  readonly notes?: Readonly<Record<string, string>>;
  readonly examples?: (site: DocumentSite) => OperationExamples;
}

/** Examples by the operations' ids. */
export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** Example of a call and its response. */
export interface OperationExample {
  /** The JSON body, or the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The JSON response. */
  readonly response?: Readonly<Record<string, unknown>>;
  /** The JSON response of 202, while the result is not there yet. @default - the operation never responds with 202 */
  readonly accepted?: Readonly<Record<string, unknown>>;
}

/** Query parameters, whose schemas are those of the rows. */
export type DescribedParameters = Readonly<
  Record<string, { readonly description: string; readonly example: unknown }>
>;

/** Path parameters, which rows only name. */
export type DescribedPathParameters = Readonly<
  Record<string, DescribedParameters[string] & { readonly schema: JsonSchema }>
>;

/** The owner in all examples. */
export const exampleNamespace = "ada";

/** The drop in all examples. */
export const exampleSlug = "aB3dE5f";

/** Its entity tag. */
export const exampleEntityTag = '"4-mkfz5y80"';

/** The account in all examples. */
export const exampleUserId = "u5T2kQ9bV7cX1mN4";

/** Time at which the examples' drop was published. */
export const exampleCreatedAtMs = Date.UTC(2026, 0, 15, 9, 30);

/** Time of its latest change. */
export const exampleUpdatedAtMs = exampleCreatedAtMs + 86_400_000;

/** Descriptions of fields that mean the same in every schema, by name. */
export const sharedFields: Readonly<Record<string, string>> = {
  allow_secrets: `The reason to store it with what looks like a secret, where the setting \`secretScan\` refuses that: at most ${limits.noteCodePointsMax} characters, without the secret. The audit trail keeps it.`,
  context: `Opt-in notes on how the page was made, such as the prompt: at most ${limits.contextCodePointsMax} characters. Readers of the page can open it; it never comes back in JSON.`,
  created_at: "Unix time in milliseconds.",
  description: `At most ${limits.descriptionCodePointsMax} characters, shown in the viewer; null for none.`,
  filename: `At most ${limits.blobFilenameCharactersMax} letters, digits, dashes, dots and spaces.`,
  html: `A complete HTML document: at most ${limits.htmlBytesMax} bytes in UTF-8.`,
  feedback:
    "Whether the drop's readers may write to you: `readers`, or `off`. Absent: as it is; of a new drop `readers` where its visibility is `members` or `people`, else `off`. What they have written: `GET /api/feedback`.",
  indexed:
    "Whether search engines may list the drop, which has to be `public` and without a passcode then. Absent: as it is, and not of a new drop. What closes the drop sets it to false.",
  latest_version: "The highest version there is.",
  metadata: `The owner's tags, never shown in public; in the library those see them whom the drop is for. At most ${limits.metadataKeysMax} keys, each value at most ${limits.metadataValueCodePointsMax} characters. In a request it replaces the whole map; absent leaves it alone, \`{}\` clears it.`,
  original_date:
    "Date of this version where it was published before, such as at another service. A claim of the owner: `created_at` is the service's own time, and everything that lasts for a time counts from that.",
  note: `What this version changes, in a line: at most ${limits.noteCodePointsMax} characters. The list of versions shows it.`,
  passcode: `At least ${limits.passcodeCodePointsMin} characters, counted after Unicode normalization (NFKC), at most ${limits.passcodeBytesMax} bytes. The empty string means no gate.`,
  readers: `Whom the drop or the file is for, where its visibility is \`people\`: 1 to ${limits.readersPerDropMax} e-mail addresses, domains such as \`@example.com\`, user names (\`username:ada\`, or \`ada\`), or groups of the identity provider (\`group:engineering\`). Only groups are case-sensitive. They replace those before.`,
  size_bytes: "Size in bytes.",
  slug: "The drop's permanent identifier.",
  title: `1 to ${limits.titleCodePointsMax} characters; white space around them is dropped.`,
  updated_at: "Unix time in milliseconds.",
  user_id: "The account's permanent identifier.",
  visibility:
    "Who may read the drop. `public`: anybody. `unlisted`: anybody who has its address; the owner's page does not show it. `members`: members of this service. `people`: those whom `readers` names. Absent: as it is, and of a new drop as the operator has chosen, which is `public` where they have not.",
};

/** Descriptions of the schemas and their fields, by the path from the schema's name. */
export const fields: Readonly<Record<string, string>> = {
  Error: "Every refusal has this shape. Decide by `error.code`, never by `error.message`.",
  "Error.code": "The cause. Decide by this.",
  "Error.details": "More about the cause: the field, its value, what is allowed.",
  "Error.message": "For people: what is wrong and how to mend it. Its words may change.",
  "Error.expected":
    "The call as the operation takes it, with a 400 or 404: its fields with type and bound, and an example that works as it is sent. With an unknown path or method, the nearest operation's.",
  "Error.retry_after_seconds": "With 429 and 503: the same number as in the header Retry-After.",
  Warnings:
    "What a good response has beside its own fields, where the call was probably not as it was meant.",
  "Warnings.warnings":
    "Likely mistakes, in sentences that say what to send instead: unknown fields and parameters, or content that is not a page. Absent without any.",
};
