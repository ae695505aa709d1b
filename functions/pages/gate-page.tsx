import { Emblem } from "../platform/html/icons.tsx";
import { renderSheetPage } from "../platform/html/sheet.tsx";
import { text } from "../platform/html/text.ts";

/** What the gate shows: nothing of the page behind it. */
export interface GatePageProps {
  /** Where the passcode is posted, urlencoded as `passcode`. */
  readonly action: string;
  /** Whether a wrong passcode came before. */
  readonly wrong: boolean;
  /** How long to wait before the next try. @default - no wait */
  readonly waitSeconds?: number;
  readonly nonce: string;
}

/** The page in front of a locked drop: one field, no script, and no word about what is behind. */
export function renderGatePage({ action, wrong, waitSeconds, nonce }: GatePageProps): string {
  const words = text.gate;
  const notice = gateNotice(wrong, waitSeconds);
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <Emblem sign="locked" />
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        {notice && (
          <p class="notice" id="notice" role="alert">
            {notice}
          </p>
        )}
        <form method="post" action={action}>
          <label for="passcode">{words.label}</label>
          <input
            class="field"
            id="passcode"
            name="passcode"
            type="password"
            required
            autofocus
            autocomplete="current-password"
            aria-invalid={wrong ? "true" : undefined}
            aria-describedby={notice ? "notice" : undefined}
          />
          <button class="button" type="submit">
            {words.submit}
          </button>
        </form>
        <p class="quiet small">{words.remembered}</p>
      </>
    ),
  });
}

function gateNotice(wrong: boolean, waitSeconds: number | undefined): string | undefined {
  if (waitSeconds !== undefined) return text.gate.wait(Math.max(1, Math.ceil(waitSeconds / 60)));
  return wrong ? text.gate.wrong : undefined;
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
