import type { App } from "@modelcontextprotocol/ext-apps";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { appText } from "./app-text.ts";
import { listenToPage } from "./framed-messages.client.ts";
import { watchHost } from "./host-watch.client.ts";
import { OpenLink } from "./open-link.client.tsx";

/** Permissions of the page's sandbox, as in the viewer. The page never has the origin of the host's frame. */
const sandbox = "allow-scripts allow-forms allow-modals allow-downloads";

/** Maximum number of blocked sites that are named under the page. */
const namedMax = 5;
/** Maximum length of a quoted selection, in characters. */
const quotedMax = 2_000;

interface PageFrameProps {
  readonly app: App;
  readonly html: string;
  readonly title: string;
  /** URL of the page outside the chat, where nothing is blocked. */
  readonly url: string;
  /** Called with the selected text when the person presses the quote button. */
  readonly onQuote: (words: string) => void;
}

/** Published page in a sandboxed frame. Below the page are a list of the sites that the chat blocks, and a button that stops the page. */
export function PageFrame({ app, html, title, url, onQuote }: PageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const isQuoting = useRef(false);
  const [stopped, setStopped] = useState<string>();
  const [blocked, setBlocked] = useState<readonly string[]>([]);
  const [note, setNote] = useState<string>();

  useLayoutEffect(() => {
    const page = frame.current?.contentWindow;
    if (!page) return undefined;
    return listenToPage({
      window: page,
      handleFlood: () => setStopped(appText.flooded),
      receive(message) {
        if (message.dropleaf === "kept") setNote(appText.linkKept);
        else if (message.dropleaf === "blocked") {
          const site = siteOf(message.address);
          setBlocked((sites) =>
            sites.includes(site) || sites.length === namedMax ? sites : [...sites, site],
          );
        } else if (message.dropleaf === "selected" && isQuoting.current) {
          isQuoting.current = false;
          const text = String(message.text).trim().slice(0, quotedMax);
          setNote(text === "" ? appText.nothingSelected : undefined);
          if (text !== "") onQuote(appText.quoted(text));
        }
      },
    });
  }, [stopped, html, onQuote]);

  useEffect(
    () => (stopped === undefined ? watchHost(app, () => setStopped(appText.silenced)) : undefined),
    [app, stopped],
  );

  if (stopped !== undefined)
    return (
      <div class="page instead">
        <p role="status">{stopped}</p>
        <button class="button second" type="button" onClick={() => setStopped(undefined)}>
          {appText.showAgain}
        </button>
      </div>
    );
  const quote = () => {
    isQuoting.current = true;
    frame.current?.contentWindow?.postMessage({ dropleaf: "selection" }, "*");
  };
  return (
    <>
      <iframe class="page" ref={frame} title={title} sandbox={sandbox} srcdoc={withFrameScripts(html)} />
      <div class="under-page">
        <p role="status">
          {blocked.length > 0 && (
            <span>
              {appText.blocked} <bdi>{blocked.join(", ")}</bdi>.{" "}
            </span>
          )}
          {note} {(blocked.length > 0 || note === appText.linkKept) && <OpenLink app={app} url={url} />}
        </p>
        <button class="plain" type="button" onClick={quote}>
          {appText.quote}
        </button>
        <button class="plain" type="button" onClick={() => setStopped(appText.stopped)}>
          {appText.stop}
        </button>
      </div>
    </>
  );
}

const doctype = /^\uFEFF?(?:\s|<!--[\s\S]*?-->)*<!doctype[^>]*>/i;

/** Inserts the frame's scripts before the page's scripts. They follow the doctype, so that the page stays in standards mode. */
function withFrameScripts(html: string): string {
  const [start = ""] = doctype.exec(html) ?? [];
  const scripts = document.getElementById("frame-scripts")?.innerHTML ?? "";
  return start + scripts + html.slice(start.length);
}

function siteOf(address: unknown): string {
  const text = String(address).slice(0, 200);
  return /^\w+:\/\/([^/?#]+)/.exec(text)?.[1] ?? text;
}
