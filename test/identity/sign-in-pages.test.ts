import { expect, test } from "vitest";
import { renderHomePage } from "../../functions/discovery/home-page.tsx";
import { renderConfirmationPage } from "../../functions/identity/confirmation-page.tsx";
import { renderLoginPage } from "../../functions/identity/login-page.tsx";
import { renderVerifyPage } from "../../functions/identity/verify-page.tsx";
import { nonce } from "../html/nonce.ts";
import { baseUrl, ownerUrl } from "../html/page-fixtures.ts";
import { findElements, parsePage } from "../html/parsed-page.ts";

const continueUrl = "/api/auth/idp/authorize?code=BCDF-GHJK";

test("the verify page shows the code and the agent's label, and that the label is unverified", () => {
  const html = renderVerifyPage({ code: "BCDF-GHJK", label: "my agent", scope: "all", continueUrl, nonce });

  expect(findElements(html, "p").map(({ text }) => text)).toContain("BCDF-GHJK");
  expect(findElements(html, "strong")[0]).toMatchObject({ attributes: { dir: "auto" }, text: "my agent" });
  expect(html).toContain("It is not verified.");
});

test("an agent without a label is shown as unnamed", () => {
  const html = renderVerifyPage({ code: "BCDF-GHJK", label: null, scope: "all", continueUrl, nonce });

  expect(html).toContain("The agent gave no name.");
  expect(findElements(html, "strong")).toEqual([]);
});

test.each([
  ["read", "read your pages, comments and answers,", "can’t publish, change or delete anything"],
  ["publish", "publish pages and files under your name,", "can’t delete anything, or change who can read"],
] as const)(
  "the verify page says what a token of the scope %s can do and cannot do",
  (scope, may, mayNot) => {
    const html = renderVerifyPage({ code: "BCDF-GHJK", label: null, scope, continueUrl, nonce });

    expect(findElements(html, "li").map(({ text }) => text)).toContain(may);
    expect(html).toContain(mayNot);
    expect(html).not.toContain("manage your tokens");
  },
);

test("the verify page continues with a link, because form-action would block a form at the provider", () => {
  const html = renderVerifyPage({ code: "BCDF-GHJK", label: null, scope: "all", continueUrl, nonce });

  expect(findElements(html, "a").map(({ attributes }) => attributes.href)).toEqual([continueUrl]);
  expect(findElements(html, "form")).toEqual([]);
});

test("the confirmation names the account, its host, and how to revoke the token", () => {
  const html = renderConfirmationPage({
    username: "Ada Lovelace",
    namespace: "ada",
    ownerUrl,
    label: "my agent",
    code: "BCDF-GHJK",
    ownCode: null,
    nonce,
  });

  expect(findElements(html, "dd").map(({ text }) => text)).toEqual([
    "Ada Lovelace",
    "ada.dropleaf.test",
    "my agent",
  ]);
  expect(findElements(html, "pre")[0]?.text).toContain("DELETE /api/tokens/{id}");
});

test("a typed code is sent to the verify page as the query parameter code", () => {
  const html = renderLoginPage({ baseUrl, nonce });

  expect(findElements(html, "form")[0]?.attributes).toEqual({ method: "get", action: "/verify" });
  expect(findElements(html, "input").map(({ attributes }) => attributes.name)).toEqual(["code"]);
});

test.each([
  ["the sign-in page", renderLoginPage],
  ["the start page", renderHomePage],
])("%s has a sign-in button that links to the person's own pages", (_, render) => {
  const [button] = findElements(render({ baseUrl, nonce }), "a").filter(
    ({ attributes }) => attributes.class === "button",
  );

  expect(button).toMatchObject({ attributes: { href: "/account" }, text: "Sign in" });
});

test("the start page shows an agent's first three calls, with this service's URL", () => {
  const calls = findElements(renderHomePage({ baseUrl, nonce }), "pre").map(({ text }) => text);

  expect(calls).toEqual([
    expect.stringContaining(`curl ${baseUrl}/api/auth/start`),
    expect.stringContaining(`curl '${baseUrl}/api/auth/poll?token=POLL_TOKEN'`),
    expect.stringContaining(`curl -X PUT \\\n  '${baseUrl}/api/drops?metadata.project=PROJECT'`),
  ]);
});

test("the calls on the start page have valid JSON bodies, and the page links to the sign-in page", () => {
  const calls = findElements(renderHomePage({ baseUrl, nonce }), "pre");
  const bodies = calls.flatMap(({ text }) => /-d '([^']*)'/.exec(text)?.[1] ?? []);

  expect(bodies.map((body) => JSON.parse(body))).toEqual([{ label: "my agent" }]);
  expect(
    parsePage(renderHomePage({ baseUrl, nonce })).some(({ attributes }) => attributes.href === "/login"),
  ).toBe(true);
});
