/** Needs of a page that the frame's sandbox refuses. */
export type Refusal = "storage" | "worker" | "service-worker" | "pdf" | "frame" | "other";

/** Messages of a framed page's script to the viewer. The page can forge them. */
export type FrameMessage =
  /** The page has loaded, and accepts the viewer's messages. */
  | {
      readonly dropleaf: "ready";
      /** Path of its address. */
      readonly path: string;
    }
  /** The page has loaded, or its script has changed its address. */
  | {
      readonly dropleaf: "at";
      /** Path, query and fragment. */
      readonly address: string;
      readonly title: string;
      /** The page has loaded, without a change of its address. */
      readonly isArrival: boolean;
    }
  /** A click, a form or a script opens another address. */
  | { readonly dropleaf: "open"; readonly url: string }
  /** The action cannot leave the frame, such as a form that is posted. */
  | { readonly dropleaf: "kept" }
  /** The sandbox refused something that the page needs. */
  | { readonly dropleaf: "refused"; readonly what: Refusal }
  /** Height of the whole page in CSS pixels. */
  | { readonly dropleaf: "height"; readonly px: number }
  /** Scroll position of the page in CSS pixels. */
  | { readonly dropleaf: "place"; readonly px: number }
  /** The reader has scrolled, typed, clicked or selected something. */
  | { readonly dropleaf: "used" }
  /** The selected text, on request. */
  | { readonly dropleaf: "selected"; readonly text: string }
  /** The reader has selected text, or points at an element. Without text and selector, nothing is selected any more. */
  | ({ readonly dropleaf: "marked"; readonly isPicked: boolean } & Partial<Mark>)
  /** The requested quote or element is on the page. */
  | { readonly dropleaf: "shown"; readonly isFound: boolean; readonly box?: Box | undefined };

/** Position and size of a rectangle: left, top, width, height. */
export type Box = readonly [x: number, y: number, width: number, height: number];

/** The place of a page that a comment is about. */
export interface Mark {
  /** The selected text; empty for an element. */
  readonly text: string;
  /** CSS selector of the element around the selection. */
  readonly selector: string;
  /** Place in the frame, in CSS pixels. */
  readonly box: Box;
  /** Place on the whole page, as fractions of its width and height. */
  readonly region: Box;
}

/** Message of a page in a frame of a framed page, to the page around it. */
export interface InnerMessage {
  readonly dropleaf: "lead";
  /** Name of the frame; empty for the page around it. */
  readonly target: string;
  /** Address of a page in the folder. */
  readonly url: string;
}

/** Messages of the viewer to a framed page's script. */
export type ViewerMessage =
  /** The fragment of the viewer's own address, with its `#`. */
  | { readonly dropleaf: "fragment"; readonly hash: string }
  /** Scroll position on the page that this one replaces. */
  | { readonly dropleaf: "place"; readonly px: number }
  /** Requests that the page prints itself as a whole. */
  | { readonly dropleaf: "print" }
  /** Requests the selected text. */
  | { readonly dropleaf: "selection" }
  /** Requests that the page shows a passage. */
  | { readonly dropleaf: "quote"; readonly text: string }
  /** Requests that the page shows an element. */
  | { readonly dropleaf: "element"; readonly selector: string }
  /** Requests reports of selected text from now on, and of the element that the reader points at while they pick one. */
  | { readonly dropleaf: "mark"; readonly isPicking: boolean };

/**
 * A passage to mark on a framed page, in its normalized text: characters since the end of the passage before, the text
 * around its start, the part of that text before the start, and its length.
 */
export type PassageMark = readonly [gap: number, around: string, lead: number, length: number];

/** Begins the name of a frame that has marks, before their JSON. */
export const marksPrefix = "dropleaf-marks:";

/** Changes that a comparison marks on the page in a frame, as JSON in the frame's name. */
export interface FrameMarks {
  /** Declarations for the marks, in CSS. */
  readonly style: string;
  readonly marks: readonly PassageMark[];
}
