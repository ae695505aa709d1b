/** What a framed page's script tells the viewer. It is the page's word: whatever a page says there, its script may have said. */
export type FrameMessage =
  /** The page is there, and takes what the viewer has for it. */
  | { readonly dropleaf: "ready" }
  /** A click, a form or a script leads to another address. */
  | { readonly dropleaf: "open"; readonly url: string }
  /** What was pressed cannot leave the frame, such as a form that is posted. */
  | { readonly dropleaf: "kept" }
  /** How high the page is as a whole, in CSS pixels. */
  | { readonly dropleaf: "height"; readonly px: number }
  /** How far down the page its reader is, in CSS pixels. */
  | { readonly dropleaf: "place"; readonly px: number }
  /** The text that is selected, where it was asked for. */
  | { readonly dropleaf: "selected"; readonly text: string }
  /** Whether the passage that was to be shown is there. */
  | { readonly dropleaf: "shown"; readonly isFound: boolean };

/** What the viewer tells a framed page's script. */
export type ViewerMessage =
  /** The fragment of the viewer's own address, with its `#`. */
  | { readonly dropleaf: "fragment"; readonly hash: string }
  /** How far down its reader was on the page that it takes the place of. */
  | { readonly dropleaf: "place"; readonly px: number }
  /** To print itself, as a whole. */
  | { readonly dropleaf: "print" }
  /** To tell what is selected. */
  | { readonly dropleaf: "selection" }
  /** To show where a passage stands. */
  | { readonly dropleaf: "quote"; readonly text: string };
