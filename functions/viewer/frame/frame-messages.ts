/** Kinds of features that the frame's sandbox does not allow. */
export type Refusal = "storage" | "worker" | "service-worker" | "pdf" | "frame" | "other";

/** Messages from the script in a framed page to the viewer. The page can forge them. */
export type FrameMessage =
  /** The page has loaded, and accepts the viewer's messages. `path` is the path of its URL. */
  | { readonly dropleaf: "ready"; readonly path: string }
  /** The page has loaded (`isArrival`), or its script has changed its URL. `address` has path, query and fragment. */
  | { readonly dropleaf: "at"; readonly address: string; readonly title: string; readonly isArrival: boolean }
  /** A click, a form or a script tries to open another URL. */
  | { readonly dropleaf: "open"; readonly url: string }
  /** The frame does not support the action, such as posting a form. */
  | { readonly dropleaf: "kept" }
  /** The sandbox refused a feature that the page tried to use. */
  | { readonly dropleaf: "refused"; readonly what: Refusal }
  /** Height of the whole page in CSS pixels. */
  | { readonly dropleaf: "height"; readonly px: number }
  /** Scroll position of the page in CSS pixels. */
  | { readonly dropleaf: "place"; readonly px: number }
  /** The reader has scrolled, typed, clicked or selected something. */
  | { readonly dropleaf: "used" }
  /** The selected text, as requested by the viewer. */
  | { readonly dropleaf: "selected"; readonly text: string }
  /** The reader has selected text, or points at an element. Without text and selector, the selection is empty. */
  | ({ readonly dropleaf: "marked"; readonly isPicked: boolean } & Partial<Mark>)
  /** Result of a request to show a quote or an element. */
  | { readonly dropleaf: "shown"; readonly isFound: boolean; readonly box?: Box | undefined };

/** Position and size of a rectangle: left, top, width, height. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** Place on a page that a comment is about. */
export interface Mark {
  /** The selected text. Empty for an element. */
  readonly text: string;
  /** CSS selector of the element around the selection. */
  readonly selector: string;
  /** Position in the frame, in CSS pixels. */
  readonly box: Box;
  /** Position on the whole page, as fractions of its width and height. */
  readonly region: Box;
}

/** Message from a nested page to the framed page that contains it. */
export interface InnerMessage {
  readonly dropleaf: "lead";
  /** Name of the target frame. Empty for the containing page. */
  readonly target: string;
  /** URL of a page in the folder. */
  readonly url: string;
}

/** Messages of the viewer to a framed page's script. */
export type ViewerMessage =
  /** Fragment of the viewer's own URL, with its `#`. */
  | { readonly dropleaf: "fragment"; readonly hash: string }
  /** Scroll position of the page that this page replaces. */
  | { readonly dropleaf: "place"; readonly px: number }
  /** Requests that the page prints itself in full. */
  | { readonly dropleaf: "print" }
  /** Requests the selected text. */
  | { readonly dropleaf: "selection" }
  /** Requests that the page shows a passage. */
  | { readonly dropleaf: "quote"; readonly text: string }
  /** Requests that the page shows an element. */
  | { readonly dropleaf: "element"; readonly selector: string }
  /**
   * Requests reports of selected text from now on. While the reader picks an element, also requests reports of the
   * element under the pointer.
   */
  | { readonly dropleaf: "mark"; readonly isPicking: boolean };

/**
 * Passage to mark in the normalized text of a framed page. Contains the number of characters since the end of the
 * previous passage, the text around the passage's start, the offset of the start in that text, and the passage's
 * length.
 */
export type PassageMark = readonly [gap: number, around: string, lead: number, length: number];

/** Prefix of a frame's name that contains marks as JSON. */
export const marksPrefix = "dropleaf-marks:";

/** Changes that a comparison marks on a framed page. The changes are passed as JSON in the frame's name. */
export interface FrameMarks {
  /** CSS declarations for the marks. */
  readonly style: string;
  readonly marks: readonly PassageMark[];
}

/**
 * Messages from the framed page's answers script to the viewer. The viewer replies through the message's port. The page
 * can forge the messages.
 */
export type AnswerRequest =
  /** Sends an answer, in `application/x-www-form-urlencoded`, with the form's action URL, which the service has set. */
  | { readonly dropleaf: "answer"; readonly address: string; readonly text: string }
  /** Requests how often each choice was sent. `address` is the form's action URL, or a query with the form's name. */
  | { readonly dropleaf: "results"; readonly address: string };

/** Reply of the viewer or the service. The message is shown to the reader. */
export interface AnswerReply {
  readonly message: string;
  /** Number of answers by field and choice. @default - none, because readers may not see results */
  readonly counts?: readonly (readonly [
    field: string,
    choices: readonly (readonly [choice: string, count: number])[],
  ])[];
}
