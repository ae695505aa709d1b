// Fields of the service's responses that the app reads. The types of the schemas need Node.js, which no browser has.

/** The drop: response of `page_details`. */
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
  /** Latest first. */
  readonly versions: readonly AppVersion[];
}

export interface AppVersion {
  readonly version: number;
  readonly created_at: number;
  readonly note?: string | undefined;
}

/** Response of `page_html`. */
export interface AppPage {
  /** @default - it is omitted */
  readonly html?: string;
  /** Why there is no HTML. @default - there is */
  readonly omitted?: "folder" | "too_large";
}

/** Response of `page_comments`. */
export interface AppComments {
  readonly comments: readonly AppComment[];
  /** Argument of the call for the next comments. */
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
  /** Newest first. */
  readonly answers: readonly AppAnswer[];
  /** There are older answers. */
  readonly has_more: boolean;
}

/** A reader's answer to a form of the page. */
export interface AppAnswer {
  readonly number: number;
  readonly form: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly created_at: number;
  readonly author: { readonly name: string | null };
}
