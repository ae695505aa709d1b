/**
 * Runs in a page inside the chat's app, after `stand-ins.client.ts` and before the page's own scripts. The page can forge every message of
 * this script, so the app displays the messages and never acts on them.
 */
import { selectedText } from "../../viewer/frame/framed-text.client.ts";
import type { AppMessage, FramedInAppMessage } from "./in-app-messages.ts";

const app = window.parent;

function send(message: FramedInAppMessage): void {
  app.postMessage(message, "*");
}

addEventListener("securitypolicyviolation", ({ blockedURI }) =>
  send({ dropleaf: "blocked", address: blockedURI }),
);

addEventListener("click", (event) => {
  const link = event
    .composedPath()
    .find((one) => one instanceof HTMLAnchorElement || one instanceof HTMLAreaElement);
  const address = link?.getAttribute("href") ?? undefined;
  if (address === undefined || event.defaultPrevented || /^(blob|data|javascript):/i.test(address)) return;
  event.preventDefault();
  // Sets the fragment itself, because the browser would resolve the link against the app's URL and leave the page.
  if (address.startsWith("#")) location.hash = address;
  else send({ dropleaf: "kept" });
});

addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (event.defaultPrevented || form.getAttribute("method")?.toLowerCase() === "dialog") return;
  event.preventDefault();
  send({ dropleaf: "kept" });
});

addEventListener(
  "message",
  (event: MessageEvent<AppMessage | null>) => {
    if (event.source !== app || event.data?.dropleaf !== "selection") return;
    event.stopImmediatePropagation();
    send({ dropleaf: "selected", text: selectedText() });
  },
  true,
);
