/** Renders the sign-in form. It has a user name and optional claims, but no password and no scripts. */
export function renderSignInPage(action: string, problem?: string): string {
  return renderPage(
    "Sign in",
    `${problem === undefined ? "" : `<p role="alert">${escapeHtml(problem)}</p>`}
    <form method="post" action="${escapeHtml(action)}">
      <label for="username">User name</label>
      <input id="username" name="username" required maxlength="100" autocomplete="username" autofocus>
      <label for="preferred_username">Preferred name <small>(optional)</small></label>
      <input id="preferred_username" name="preferred_username" maxlength="100" autocomplete="off">
      <label for="email">E-mail address <small>(optional)</small></label>
      <input id="email" name="email" type="email" maxlength="254" autocomplete="email">
      <label class="box"><input name="email_verified" type="checkbox" value="true"> The address is verified</label>
      <label for="groups">Groups, separated by commas <small>(optional)</small></label>
      <input id="groups" name="groups" maxlength="1000" autocomplete="off">
      <button>Sign in</button>
    </form>
    <p>This is the local identity provider. Any name can sign in, and the same name is the same person. The service receives
    the preferred name, address and groups that you enter.</p>`,
  );
}

/** Renders a page with the reason why a sign-in failed. */
export function renderFailurePage(message: string): string {
  return renderPage("Sign-in failed", `<p>${escapeHtml(message)}</p>`);
}

function renderPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 0 auto; padding: 2rem 1rem; overflow-wrap: anywhere; }
  label, input, button { display: block; width: 100%; box-sizing: border-box; }
  input, button { font: inherit; padding: .6rem; margin: .25rem 0 1rem; }
  .box { margin-bottom: 1rem; }
  .box input { display: inline; width: auto; margin: 0 .25rem 0 0; }
</style>
</head>
<body>
<main><h1>${title}</h1>${content}</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
