/** Updates the viewer's URL, title and bar links when the frame shows another page of the folder. */
import { findElement } from "../html/find-element.client.ts";
import { parseUrl, pathInFolder } from "./frame/frame-input.client.ts";
import type { FrameMessage } from "./frame/frame-messages.ts";

/** Query parameters that belong to the service; see docs/adr/0025-requests-at-the-edge.md. */
const ours = /^(v|version|framed|download|drawn)(=|$)/;
const titleMax = 200;

type Arrival = Extract<FrameMessage, { readonly dropleaf: "at" }>;

/**
 * Returns a listener for the URLs that the framed page reports. The page can report any URL. The viewer's URL changes
 * only to a path below the folder, with the page's query and fragment.
 */
export function followPages(frame: HTMLIFrameElement): (arrival: Arrival) => void {
  const { folder, title: entryTitle = "" } = frame.dataset;
  let shownPath = frame.dataset.path;
  return ({ address, title, isArrival }) => {
    const told = parseUrl(String(address), location.origin);
    const path = told && pathInFolder(told.pathname);
    if (folder === undefined || told === undefined || path === undefined) return;
    const { pathname } = new URL(folder + (path && `/${path}`), location.origin);
    const isInside = pathname === folder || pathname.startsWith(folder.concat("/"));
    if (!isInside || pathname.includes("//")) return;
    // Keeps the viewer's fragment, because the viewer sends it to the page after the load.
    if (isArrival && path === shownPath && !told.hash) return;
    const own = told.search
      .slice(1)
      .split("&")
      .filter((pair) => pair && !ours.test(pair));
    const pin = /[?&]v(?:ersion)?(=\d+)/.exec(location.search)?.[1];
    const query = [...(pin ? [`v${pin}`] : []), ...own].join("&");
    history.replaceState(history.state, "", pathname + (query && `?${query}`) + told.hash);
    if (path === shownPath) return;
    shownPath = path;
    document.title = (path && String(title).trim().slice(0, titleMax)) || entryTitle;
    leadTo(path, own.join("&"));
  };
}

/** Points the bar's links to a page of the folder. */
function leadTo(path: string, query: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-folder]"))
    link.href = link.dataset.folder + (path && `/${path}`);
  findElement<HTMLAnchorElement>("raw").search = query;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-takes-path]")) {
    const url = new URL(link.href);
    url.searchParams.set("path", decoded(path));
    link.href = url.href;
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "";
  }
}
