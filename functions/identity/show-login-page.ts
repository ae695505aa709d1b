import { page } from "../html/page.ts";
import { pageOperation } from "../http/page-operation.ts";
import { renderLoginPage } from "./login-page.tsx";
import { showLoginPageRoute } from "./rows.ts";

/** GET /login: shows the sign-in page, with a field for a device code. */
export const showLoginPage = pageOperation(showLoginPageRoute, async ({ site }) =>
  page("sign-in", (nonce) => renderLoginPage({ baseUrl: site.baseUrl, nonce })),
);
