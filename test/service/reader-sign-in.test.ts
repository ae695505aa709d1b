import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { addressOfOwner, ownerAddress } from "../support/owner-address.ts";
import { offeredSignIn, signInToRead } from "../support/reader.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, linkTo, textOf, Visitor } from "../support/visitor.ts";

/** Of no drop. */
const slug = "0000000";

let account: Account;
let owner: string;

beforeAll(async () => {
  account = await newAccount("shares");
  owner = ownerAddress((await publish(account.api)).url);
});

describe("an address where nothing is", () => {
  test.each([
    ["/p/0000000", "/p/0000000/read"],
    ["/p/0000000?v=3", "/p/0000000/read?v=3"],
    ["/d/0000000", "/p/0000000/read?from=d"],
    ["/p/0000000/raw?v=2&x=1", "/p/0000000/read?v=2&from=raw"],
    ["/p/0000000?v=none", "/p/0000000/read"],
    ["/d/0000000?from=x&v=2&ticket=t", "/p/0000000/read?v=2&from=d&query=ZnJvbT14JnRpY2tldD10"],
  ])("offers at %s to sign in, with the way back", async (path, offered) => {
    const page = await new Visitor().open(owner + path);

    expectErrorPage(page.response, 404);
    expect(String(offeredSignIn(page))).toBe(owner + offered);
  });

  test("offers nothing to a frame, to a part of a page, and where there can be no drop", async () => {
    for (const destination of ["iframe", "empty", "image"]) {
      const headers = { accept: "text/html", "sec-fetch-dest": destination };
      const { status, text } = await fetchPage(`${owner}/p/${slug}`, { headers });
      expect([status, text.includes("/read")]).toEqual([404, false]);
    }
    for (const path of ["/p/none", `/p/${slug}/context`, "/nothing"]) {
      const { status, text } = await fetchPage(owner + path, { headers: { accept: "text/html" } });
      expect([status, text.includes("/read")]).toEqual([404, false]);
    }
  });

  test("still has nothing for who has signed in, and says who that is and how to be another", async () => {
    const visitor = new Visitor();

    const refused = await signInToRead(`${owner}/p/${slug}?v=2`, "grace", visitor);

    expectErrorPage(refused.response, 404);
    expect(refused.url.href.startsWith(`${baseUrl()}/login/read?`)).toBe(true);
    expect(elementsOf(refused.response, "dd").map(textOf)).toEqual(["grace"]);
    const left = await visitor.submit(refused, {});
    expect(left.response.status).toBe(200);
    const again = linkTo(left, "/login/read");
    expect(again.searchParams.get("account")).toBe("other");
    const provider = await visitor.open(again);
    expect(elementsOf(provider.response, "form")).toHaveLength(1);
  });
});

test("who has signed in once is not asked again, wherever they read", async () => {
  const visitor = new Visitor();
  await signInToRead(`${owner}/p/${slug}`, "grace", visitor);

  const elsewhere = await visitor.open(`${baseUrl()}/p/1111111`);
  const second = await visitor.open(offeredSignIn(elsewhere));

  expect([second.url.pathname, second.response.status]).toEqual(["/login/read", 404]);
  expect(elementsOf(second.response, "dd").map(textOf)).toEqual(["grace"]);
});

test("who has signed in to read sees so, and leaves", async () => {
  const visitor = new Visitor();
  await signInToRead(`${owner}/p/${slug}`, "grace", visitor);

  const standing = await visitor.open("/login/read");
  expect(elementsOf(standing.response, "dd").map(textOf)).toEqual(["grace"]);
  const actions = elementsOf(standing.response, "form").map(({ attribs }) => attribs.action);
  expect(actions).toEqual(["/login/sign-out"]);
  await visitor.submit(standing, {});

  const after = await visitor.open("/login/read");
  expect(after.response.status).toBe(200);
  expect(elementsOf(after.response, "dd")).toEqual([]);
});

test("a sign-in to read makes no account, and gives no token", async () => {
  const refused = await signInToRead(`${owner}/p/${slug}`, "nobody-yet");

  expect(refused.response.text).not.toContain("hb_");
  expect((await fetchPage(`${await addressOfOwner("nobody-yet")}/`)).status).toBe(404);
});

test("what a page is asked with comes back through sign-in, and is told neither to it nor to the identity provider", async () => {
  const name = unusedUsername("asking");
  const drop = await publish(account.api, { visibility: "people", readers: [name] });
  const second = await publish(account.api, { visibility: "people", readers: [name] });
  const sent = "a=1;b&a=%20+x&ticket=mine&account=other&from=raw";
  const visitor = new Visitor();

  const missing = await visitor.open(`${drop.url}?v=1&${sent}`);
  const left = await visitor.request(offeredSignIn(missing));
  const provider = await visitor.open(left.response.headers.location ?? "");
  const shown = await visitor.submit(provider, { username: name });
  // Who has come in here before is led through without a click.
  const next = await visitor.open(`${second.url}?${sent}`, { headers: { "sec-fetch-dest": "document" } });

  for (const told of [left.response.headers.location ?? "", provider.url.href]) {
    expect(told).not.toMatch(/mine|query=/);
  }
  expect([shown.response.status, shown.url.href]).toEqual([200, `${drop.url}?v=1&${sent}`]);
  expect([next.response.status, next.url.href]).toEqual([200, `${second.url}?${sent}`]);
});

test("a drop is read by who is named and has signed in, as long as they are named, and by nobody else", async () => {
  const name = unusedUsername("reader");
  const drop = await publish(account.api, { title: "Between us", visibility: "people", readers: [name] });
  const edit = (body: object) => account.api.succeed("edit-drop", { params: { slug: drop.slug }, body });
  const visitor = new Visitor();

  const shown = await signInToRead(drop.url, name, visitor);
  const stranger = await signInToRead(drop.url, unusedUsername("stranger"));

  expect(elementsOf(shown.response, "h1").map(textOf)).toEqual(["Between us"]);
  expect(shown.url.href).toBe(drop.url);
  expectErrorPage(stranger.response, 404);
  await edit({ readers: ["somebody-else"] });
  expect((await visitor.open(drop.url)).response.status).toBe(404);
  await edit({ visibility: "members" });
  expect((await visitor.open(drop.url)).response.status).toBe(200);
});
