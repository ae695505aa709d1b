import { limits } from "../contract/limits.ts";
import { renderSheetPage } from "./sheet-page.tsx";
import { text } from "./text.ts";

/** `GET /login/token`: where a person without an agent asks for a token. */
export function renderTokenRequestPage({ nonce }: { readonly nonce: string }): string {
  const words = text.tokenRequest;
  return renderSheetPage({
    title: words.title,
    nonce,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <form method="post" action="/login">
          <label for="label">{words.label}</label>
          <input
            class="field"
            id="label"
            name="label"
            value={words.labelValue}
            maxLength={limits.labelCodePointsMax}
            autocomplete="off"
            aria-describedby="label-note"
          />
          <p class="quiet small" id="label-note">
            {words.labelNote}
          </p>
          <button class="button" type="submit">
            {words.submit}
          </button>
        </form>
        <p class="quiet small">
          {words.otherwise} <a href="/login">{words.haveCode}</a>
        </p>
      </>
    ),
  });
}
