/**
 * Comments panel beside the page in the viewer. The reader selects text or picks an element, and writes a comment in the panel. The framed
 * page reports the selected place, and never receives comments or names. On an owner's host, where no reader is signed in, the script opens
 * the viewer on the base host instead, with the place in the URL fragment.
 */
import { findElement } from "../html/find-element.client.ts";
import type { Box, FrameMessage, Mark, ViewerMessage } from "./frame/frame-messages.ts";
import { createPanelSection } from "./panel-section.client.ts";
import { connectPassages, toPath, toQuote } from "./passages.client.ts";
import { connectSidePanel, type SidePanel } from "./side-panel.client.ts";

/** Form fields that describe a marked place. */
type Place = Readonly<Record<"quote" | "selector" | "region", string>>;

/** `sessionStorage` key for the marked place while the reader signs in. */
const storedAs = "dropleaf-comment";
/** Prefix of a URL fragment that contains a marked place. */
const fragmentOfPlace = "#comment=";
const outlineShownMs = 2_000;
const selectorMax = 500;
const gapPx = 8;

/** Connects the comments panel if the drop has comments. @param prepare runs before the panel is shown or hidden */
export function connectComments(frame: HTMLIFrameElement, prepare: () => void): void {
  const toggle = document.getElementById("comments-toggle") as HTMLAnchorElement | null;
  if (!toggle) return;
  const button = findElement<HTMLButtonElement>("comment");
  const outline = findElement("outline");
  let place: Place | undefined;
  let isPicking = false;
  let path = "";
  let timer = 0;
  const isKnown = toggle.origin === location.origin;
  const write = isKnown ? connectPanel() : leave;
  if (!isKnown)
    toggle.addEventListener("click", (event) => {
      event.preventDefault();
      leave(undefined);
    });

  if (location.hash.startsWith(fragmentOfPlace)) {
    const given = parsePlace(decodeURIComponent(location.hash.slice(fragmentOfPlace.length)));
    history.replaceState(history.state, "", location.pathname + location.search);
    write(given);
  }
  const send = (message: ViewerMessage) => frame.contentWindow?.postMessage(message, "*");
  const sendMarking = () => send({ dropleaf: "mark", isPicking });
  sendMarking();
  button.addEventListener("click", () => {
    button.hidden = true;
    write(place);
  });
  addEventListener("message", ({ source, data }: MessageEvent<FrameMessage | undefined>) => {
    if (source !== frame.contentWindow) return;
    if (data?.dropleaf === "ready") {
      path = toPath(data.path);
      sendMarking();
    } else if (data?.dropleaf === "shown" && isBox(data.box)) showOutline(data.box);
    else if (data?.dropleaf === "marked") follow(data);
  });

  function follow(mark: Partial<Mark> & { readonly isPicked: boolean }): void {
    const { box } = mark;
    place = toPlace(mark);
    button.hidden = true;
    outline.hidden = true;
    if (isPicking) {
      if (place && isBox(box)) showOutline(box);
      if (!mark.isPicked) return;
      isPicking = false;
      write(place);
      return;
    }
    if (!place || !isBox(box)) return;
    button.hidden = false;
    const [x, y, width, height] = box;
    const below = y + height + gapPx;
    const fits = below + button.offsetHeight < frame.clientHeight;
    const left = within(x + width / 2 - button.offsetWidth / 2, frame.clientWidth - button.offsetWidth);
    const top = within(
      fits ? below : y - button.offsetHeight - gapPx,
      frame.clientHeight - button.offsetHeight,
    );
    button.style.translate = `${left}px ${top}px`;
  }

  function showOutline([x, y, width, height]: Box): void {
    outline.hidden = false;
    outline.style.cssText = `translate:${x}px ${y}px;width:${width}px;height:${height}px`;
    clearTimeout(timer);
    timer = setTimeout(() => {
      outline.hidden = true;
    }, outlineShownMs);
  }

  /** Opens the viewer on the base host, where readers can be signed in. */
  function leave(given: Place | undefined): void {
    const url = new URL((toggle as HTMLAnchorElement).href);
    const page = url.searchParams.get("path");
    url.searchParams.delete("path");
    url.pathname = page
      ? url.pathname.replace(
          /^\/p(.*)\/feedback$/,
          `/d$1/${page.split("/").map(encodeURIComponent).join("/")}`,
        )
      : url.pathname.replace("/feedback", "");
    url.hash = fragmentOfPlace + encodeURIComponent(JSON.stringify(given ?? {}));
    location.href = url.href;
  }

  function connectPanel(): (given: Place | undefined) => void {
    /** Marked place to write into the form as soon as the form is shown. */
    let pending: Place | undefined;
    const section = (content: HTMLElement) =>
      createPanelSection(content, "#feedback", {
        onShown(isSent) {
          fillIn();
          if (isSent) findElement("comments").focus();
        },
        onFailure: (isFailed) => side.showFailure(isFailed),
      });
    const side: SidePanel = connectSidePanel("comments", (_, address) => load(address), prepare);
    const { root, load: loadSection } = section(side.content);
    const load = (address: string) => {
      const url = new URL(address);
      url.searchParams.set("panel", "1");
      return loadSection(url.href);
    };
    connectPassages(root, frame);

    const fieldOf = (name: string) => root.querySelector<HTMLInputElement>(`[name=${name}]`);
    /** Writes the pending place into the form of a new thread. Signed-out readers have no form. */
    const fillIn = () => {
      const pathField = fieldOf("path");
      if (pathField) pathField.value = path;
      const text = fieldOf("text");
      const details = text?.closest("details");
      if (!pending || !text || !details?.matches(".new")) return;
      details.open = true;
      for (const [name, value] of Object.entries(pending)) {
        const field = fieldOf(name);
        if (field) field.value = value;
      }
      showMarked(pending.quote === "");
      pending = undefined;
      text.focus();
    };
    const showMarked = (isMarked: boolean) => {
      const remove = root.querySelector<HTMLElement>("[data-unmark]");
      const line = remove?.parentElement;
      if (!remove || !line) return;
      remove.hidden = !isMarked;
      const status = line.querySelector("[role=status]");
      if (status)
        status.textContent = (isPicking ? line.dataset.marking : isMarked && line.dataset.marked) || "";
    };

    root.addEventListener("click", ({ target }) => {
      const pressed = target instanceof Element && target.closest<HTMLElement>("[data-mark],[data-unmark],a");
      if (!pressed) return;
      if (pressed instanceof HTMLAnchorElement) {
        if (pressed.target === "page") frame.src = pressed.href;
        else if (place) store(JSON.stringify(place));
        return;
      }
      isPicking = "mark" in pressed.dataset;
      for (const name of ["selector", "region"]) {
        const field = fieldOf(name);
        if (field) field.value = "";
      }
      showMarked(false);
      sendMarking();
      if (isPicking) frame.focus();
    });

    const openWith = (given: Place | undefined) => {
      place = given;
      pending = given;
      void side.open().then(fillIn);
    };
    const stored = takeStored();
    if (stored) openWith(parsePlace(stored));
    return openWith;
  }
}

function toPlace({ text, selector, region }: Partial<Mark>): Place | undefined {
  if (!selector || !isBox(region)) return undefined;
  const fractions = region.map((part) => within(part, 1).toFixed(4));
  return {
    quote: toQuote(text),
    selector: String(selector).slice(0, selectorMax),
    region: String(fractions),
  };
}

/** Parses a marked place from the fragment or `sessionStorage`. Returns undefined for any other text. */
function parsePlace(text: string): Place | undefined {
  try {
    const { quote, selector, region } = JSON.parse(text) as Partial<Place>;
    return selector
      ? { quote: toQuote(quote), selector: String(selector), region: String(region) }
      : undefined;
  } catch {
    return undefined;
  }
}

function isBox(value: unknown): value is Box {
  return Array.isArray(value) && value.length === 4 && value.every(Number.isFinite);
}

/** Limits a number to the range from 0 to `most`. */
function within(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

function store(place: string): void {
  try {
    sessionStorage.setItem(storedAs, place);
  } catch {
    // Without storage, the reader has to select the place again.
  }
}

function takeStored(): string | null {
  try {
    const stored = sessionStorage.getItem(storedAs);
    sessionStorage.removeItem(storedAs);
    return stored;
  } catch {
    return null;
  }
}
