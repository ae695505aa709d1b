import { limits } from "../core/limits.ts";
import { Time } from "../html/format.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import { CardTags } from "../renders/card-tags.tsx";
import gateScript from "./gate.client.ts?text";

const title = "Locked page";

/** Props of the passcode page. The props reveal nothing about the locked page. */
export interface GatePageProps {
  /** Action URL of the form, which sends the field `passcode`, URL-encoded. */
  readonly action: string;
  /** True if the last sent passcode was wrong. */
  readonly wrong: boolean;
  /** True if the URL contains a passcode, which is ignored. @default false */
  readonly isInAddress?: boolean;
  /** Waiting time before the next attempt. @default - none */
  readonly wait?: GateWait | undefined;
  /** URL of the card for link previews. @default - none */
  readonly cardUrl?: string | undefined;
  readonly nonce: string;
}

/** Time to wait before the next attempt: duration and end. */
export interface GateWait {
  readonly seconds: number;
  readonly untilMs: number;
}

/** Renders the passcode page of a locked drop. The page has one field, reveals nothing about the drop, and works without its script. */
export function renderGatePage({ action, wrong, isInAddress, wait, cardUrl, nonce }: GatePageProps): string {
  return renderSheetPage({
    title,
    heading: "This page is locked",
    sign: "locked",
    nonce,
    script: gateScript,
    head: cardUrl && <GateTags cardUrl={cardUrl} />,
    children: (
      <>
        <p>Ask the person who sent you the link for the passcode.</p>
        {isInAddress && (
          <p class="notice">A passcode in a link is ignored. Enter it here, and share the link without it.</p>
        )}
        <form
          id="gate"
          method="post"
          action={action}
          data-wait={wait?.seconds}
          data-again={wait ? "You can try again now." : undefined}
        >
          <label for="passcode">Passcode</label>
          {(wrong || wait) && (
            <p class="notice problem" id="notice" role="alert">
              {wait ? <Wait {...wait} /> : "Wrong passcode. Check it and try again."}
            </p>
          )}
          <input
            class="field"
            id="passcode"
            name="passcode"
            type="password"
            required
            autofocus
            autocomplete="current-password"
            autocapitalize="none"
            spellcheck={false}
            aria-invalid={wrong ? "true" : undefined}
            aria-describedby={wrong || wait ? "notice" : undefined}
          />
          <label class="check scripted">
            <input id="show-passcode" type="checkbox" aria-controls="passcode" />
            Show what I type
          </label>
          <button class="button" id="open" type="submit">
            Open
          </button>
        </form>
        <p class="quiet small">
          This browser remembers the passcode for {limits.passcodeCookieSeconds / 86_400} days.
        </p>
      </>
    ),
  });
}

/** Metadata for link previews of a locked page. The metadata contains only the service's own texts. */
function GateTags({ cardUrl }: { readonly cardUrl: string }) {
  return (
    <>
      <meta property="og:title" content={title} />
      <meta property="og:site_name" content={text.product} />
      <CardTags cardUrl={cardUrl} words={text.product} />
    </>
  );
}

/** Returns a duration in words, rounded up. */
function waitOf(minutes: number): string {
  if (minutes === 1) return "a minute";
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function Wait({ seconds, untilMs }: GateWait) {
  const minuteMs = 60_000;
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  return (
    <>
      Too many attempts. This passcode was not checked. Wait {waitOf(minutes)}, until{" "}
      <Time atMs={Math.ceil(untilMs / minuteMs) * minuteMs} isClock />
    </>
  );
}

/**
 * Renders a page that asks the reader to reload the viewer. Shown in the viewer's frame if the request has no passcode cookie, because the
 * drop was locked in the meantime or the page reloaded itself. A sandboxed frame can neither send the passcode form with a cookie nor
 * navigate the window.
 */
export function renderReloadPage({ nonce }: { readonly nonce: string }): string {
  return renderSheetPage({
    title,
    heading: "Please reload the whole page",
    sign: "locked",
    nonce,
    children: (
      <p>
        The page is locked and can’t be opened inside this frame. Reload it in your browser to enter the
        passcode.
      </p>
    ),
  });
}
