// Fields of the service's responses that the app reads. Declared here because the types of the schemas need Node.js and cannot be used in a
// browser.

/** Response of `page_details`: the drop. */
export interface AppDrop {
  readonly slug: string;
  readonly title: string;
  readonly url: string;
  readonly locked: boolean;
  readonly latest_version: number;
  readonly answers: "off" | "readers";
  readonly visibility: "public" | "unlisted" | "members" | "people";
  readonly readers?: readonly string[] | undefined;
  readonly updated_at: number;
  readonly expires_at: number | null;
}

/** Response of `page_versions`. */
export interface AppVersions {
  /** Versions, the latest first. */
  readonly versions: readonly AppVersion[];
}

export interface AppVersion {
  readonly version: number;
  readonly created_at: number;
  readonly note?: string | undefined;
}

/** Response of `page_html`. */
export interface AppPage {
  /** The page's HTML. @default - omitted */
  readonly html?: string;
  /** Reason for omitting the HTML. @default - the HTML is included */
  readonly omitted?: "folder" | "too_large";
}

/** Response of `page_comments`. */
export interface AppComments {
  readonly comments: readonly AppComment[];
  /** Cursor for the next comments, to send as `since`. */
  readonly next_since: number;
  readonly has_more: boolean;
}

export interface AppComment {
  readonly comment: number;
  readonly author: { readonly name: string };
  readonly text: string;
  readonly created_at: number;
  readonly thread: { readonly id: number; readonly quote: string | null };
}

/** Response of `page_answers`. */
export interface AppAnswers {
  /** Answers, newest first. */
  readonly answers: readonly AppAnswer[];
  /** True if there are older answers. */
  readonly has_more: boolean;
}

interface AppAnswer {
  readonly number: number;
  readonly form: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly created_at: number;
  readonly author: { readonly name: string | null };
}
