import { Minute } from "../html/format.tsx";
import { Emblem } from "../html/icons.tsx";
import { renderSheetPage } from "../html/sheet.tsx";
import { text } from "../html/text.ts";
import { CardTags } from "../renders/card-tags.tsx";
import gateScript from "./gate.client.ts?text";

/** What the gate shows: nothing of the page behind it. */
export interface GatePageProps {
  /** Where the passcode is posted, urlencoded as `passcode`. */
  readonly action: string;
  /** Whether a wrong passcode came before. */
  readonly wrong: boolean;
  /** What to wait for before the next try. @default - no wait */
  readonly wait?: GateWait | undefined;
  /** What links to the page show beside them. @default - nothing */
  readonly cardUrl?: string | undefined;
  readonly nonce: string;
}

/** How long to wait, and until when that is. */
export interface GateWait {
  readonly seconds: number;
  readonly untilMs: number;
}

/** The page in front of a locked drop: one field, and no word about what is behind. All of it works without its script. */
export function renderGatePage({ action, wrong, wait, cardUrl, nonce }: GatePageProps): string {
  const words = text.gate;
  return renderSheetPage({
    title: words.title,
    nonce,
    script: gateScript,
    head: cardUrl && <GateTags cardUrl={cardUrl} />,
    children: (
      <>
        <Emblem sign="locked" />
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        {(wrong || wait) && (
          <p class="notice" id="notice" role="alert">
            {wait ? <Wait {...wait} /> : words.wrong}
          </p>
        )}
        <form
          id="gate"
          method="post"
          action={action}
          data-wait={wait?.seconds}
          data-again={wait ? words.again : undefined}
        >
          <label for="passcode">{words.label}</label>
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
            {words.show}
          </label>
          <button class="button" id="open" type="submit">
            {words.submit}
          </button>
        </form>
        <p class="quiet small">{words.remembered}</p>
      </>
    ),
  });
}

/** What a link to a locked page shows: words of ours alone. */
function GateTags({ cardUrl }: { readonly cardUrl: string }) {
  return (
    <>
      <meta property="og:title" content={text.gate.title} />
      <meta property="og:site_name" content={text.product} />
      <CardTags cardUrl={cardUrl} words={text.product} />
    </>
  );
}

function Wait({ seconds, untilMs }: GateWait) {
  const minuteMs = 60_000;
  return (
    <>
      {text.gate.wait(Math.max(1, Math.ceil(seconds / 60)))}{" "}
      <Minute atMs={Math.ceil(untilMs / minuteMs) * minuteMs} />
    </>
  );
}

/**
 * What the viewer's frame shows where a locked page's cookie did not come along: it was locked while it was open, or
 * it loaded itself again. The frame may neither send a form with the cookie nor lead the whole window elsewhere, so
 * words are all there is.
 */
export function renderReloadPage({ nonce }: { readonly nonce: string }): string {
  const words = text.reload;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <Emblem sign="locked" />
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
      </>
    ),
  });
}
