import type { FrameMessage, ViewerMessage } from "../../viewer/frame/frame-messages.ts";

/** Messages from the script in a framed page to the app around the page. The page can forge these messages. */
export type FramedInAppMessage =
  | Extract<FrameMessage, { readonly dropleaf: "kept" | "selected" }>
  /** The host's Content-Security-Policy blocked a URL. For a URL without a host, `address` is only the scheme. */
  | { readonly dropleaf: "blocked"; readonly address: string };

/** Messages from the app to the script in a framed page. */
export type AppMessage = Extract<ViewerMessage, { readonly dropleaf: "selection" }>;
