import type { FrameMessage, ViewerMessage } from "../../viewer/frame/frame-messages.ts";

/** Messages of the script of a page in a chat to the app around it. The page can forge them. */
export type FramedInAppMessage =
  | Extract<FrameMessage, { readonly dropleaf: "kept" | "selected" }>
  /** The host's Content-Security-Policy did not allow an address; its scheme alone for those without a host. */
  | { readonly dropleaf: "blocked"; readonly address: string };

/** Messages of the app to that script. */
export type AppMessage = Extract<ViewerMessage, { readonly dropleaf: "selection" }>;
