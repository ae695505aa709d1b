import { undefinedIfNotFound } from "../core/errors.ts";
import { page } from "../html/page.ts";
import { renderSheetPage } from "../html/sheet.tsx";
import type { OperationInput } from "../http/operation.ts";
import type { HttpResponse } from "../http/response.ts";
import type { viewDropRoute } from "./rows.ts";

type Input = OperationInput<typeof viewDropRoute>;

/**
 * Renders the viewer inside a frame of another site, always for an anonymous reader. Ignores cookies, which browsers send if the outer page
 * is on a host of the same site. The framed viewer therefore offers no actions in its reader's name. Drops that an anonymous reader cannot
 * read get the same page as missing slugs.
 */
export async function viewInFrame(
  input: Input,
  view: (input: Input) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { cookie: _, ...headers } = input.request.headers;
  const request = { ...input.request, headers };
  const response = await view({ ...input, request }).catch(undefinedIfNotFound);
  return response === undefined || refusesFrames(response) ? openInTabPage() : response;
}

/** Recognizes pages that browsers refuse to show in a frame, such as the passcode page. */
function refusesFrames({ headers }: HttpResponse): boolean {
  return headers["content-security-policy"]?.includes("frame-ancestors 'none'") === true;
}

/** An empty URL reference means the current URL (RFC 3986, section 4.4). */
const thisAddress = "";

function openInTabPage(): HttpResponse {
  const render = (nonce: string) =>
    renderSheetPage({
      title: "Open this page in a new tab",
      sign: "locked",
      nonce,
      children: (
        <>
          <p>
            It can’t be shown inside another site. If it is shared with you, you can read it in a new tab.
          </p>
          <a class="button" href={thisAddress} target="_blank" rel="noopener">
            Open in a new tab
          </a>
        </>
      ),
    });
  return page("framed", render, { status: 404, indexed: false });
}
