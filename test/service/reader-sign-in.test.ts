import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { addressOfOwner, onBaseHost, ownerAddress } from "../support/owner-address.ts";
import { offeredSignIn, signInToRead } from "../support/reader.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, linkTo, textOf, Visitor } from "../support/visitor.ts";

/** Text for a reader without a verified e-mail address. */
const noAddress = "no address that your identity provider has verified";
const slug = "0000000";

let account: Account;
let owner: string;

beforeAll(async () => {
  account = await newAccount("shares");
  owner = ownerAddress((await publish(account.api)).url);
});

describe("the URL of a missing drop", () => {
  test.each([
    "/p/0000000",
    "/p/0000000?v=3",
    "/d/0000000",
    "/p/0000000/raw?v=2",
    "/p/0000000/compare?from=1&to=2",
    "/p/0000000/feedback?thread=2",
    "/p/0000000?v=none",
    "/d/0000000?from=x&v=2&ticket=t",
  ])("redirects from %s to the base host, which links to a sign-in that leads back", async (path) => {
    const page = await new Visitor().open(owner + path);

    expectErrorPage(page.response, 404);
    expect(page.url.href).toBe(baseUrl() + path);
    expect(elementsOf(page.response, "h1").map(textOf)).toEqual(["This page isn’t available"]);
    expect(offeredSignIn(page).href).toBe(`${baseUrl()}/login/read?to=${encodeURIComponent(path)}`);
  });

  test("is not redirected for frames, subresources and programs, or if the path cannot be a drop's", async () => {
    for (const destination of ["iframe", "empty", "image", undefined]) {
      const headers = { accept: "text/html", ...(destination && { "sec-fetch-dest": destination }) };
      const { status, text } = await fetchPage(`${owner}/p/${slug}`, { headers });
      expect([status, text.includes("/login/read")]).toEqual([404, false]);
    }
    for (const path of ["/p/none", "/nothing"]) {
      const { url, response } = await new Visitor().open(owner + path);
      expect([url.href, response.status]).toEqual([owner + path, 404]);
    }
  });

  test("returns the same response as a restricted drop's, on either host, signed in or not", {
    tags: "slow",
  }, async () => {
    const restricted = await publish(account.api, { visibility: "people", readers: ["somebody-else"] });
    const stranger = new Visitor();
    await signInToRead(`${owner}/p/${slug}`, unusedUsername("stranger"), stranger);
    const told = async (visitor: Visitor, address: string, headers: Record<string, string>, of: string) => {
      const { response } = await visitor.request(address.replace("<slug>", of), { headers });
      const { status, text, setCookies } = response;
      const location = response.headers.location?.replaceAll(of, "");
      const kept = response.headers["cache-control"];
      const plain = text.replaceAll(of, "").replaceAll(/nonce="[^"]+"/g, "");
      return { status, location, kept, setCookies, plain };
    };

    for (const path of ["/p/<slug>?v=1", "/p/<slug>/raw", "/p/<slug>/context"]) {
      for (const [host, destination] of [
        [owner, "document"],
        [owner, "iframe"],
        [baseUrl(), "document"],
      ] as const) {
        for (const visitor of [stranger, new Visitor()]) {
          const headers = { "sec-fetch-dest": destination, "sec-fetch-site": "same-origin" };
          expect(await told(visitor, host + path, headers, restricted.slug)).toEqual(
            await told(visitor, host + path, headers, slug),
          );
        }
      }
    }
  });

  test("stays missing after a sign-in, and shows who is signed in and how to switch accounts", async () => {
    const visitor = new Visitor();

    const refused = await signInToRead(`${owner}/p/${slug}?v=2`, "grace", visitor);

    expectErrorPage(refused.response, 404);
    expect(refused.url.href).toBe(`${baseUrl()}/p/${slug}?v=2`);
    expect(elementsOf(refused.response, "dd").map(textOf)).toEqual(["grace", noAddress]);
    const left = await visitor.submit(refused, {});
    expect(left.response.status).toBe(200);
    const again = linkTo(left, "/login/read");
    expect(again.searchParams.get("account")).toBe("other");
    const provider = await visitor.open(again);
    expect(elementsOf(provider.response, "form")).toHaveLength(1);
  });
});

test("a signed-in reader does not have to sign in again for another page", async () => {
  const visitor = new Visitor();
  await signInToRead(`${owner}/p/${slug}`, "grace", visitor);

  const second = await visitor.open(`${owner}/p/1111111`);

  expect([second.url.href, second.response.status]).toEqual([`${baseUrl()}/p/1111111`, 404]);
  expect(elementsOf(second.response, "dd").map(textOf)).toEqual(["grace", noAddress]);
});

test("a signed-in reader sees their name, and can sign out", async () => {
  const visitor = new Visitor();
  await signInToRead(`${owner}/p/${slug}`, "grace", visitor);

  const standing = await visitor.open("/login/read");
  expect(elementsOf(standing.response, "dd").map(textOf)).toEqual(["grace", noAddress]);
  const actions = elementsOf(standing.response, "form").map(({ attribs }) => attribs.action);
  expect(actions).toEqual(["/login/sign-out"]);
  await visitor.submit(standing, {});

  const after = await visitor.open("/login/read");
  expect(after.response.status).toBe(200);
  expect(elementsOf(after.response, "dd")).toEqual([]);
});

test("a reader's sign-in creates no account or token", async () => {
  const refused = await signInToRead(`${owner}/p/${slug}`, "nobody-yet");

  expect(refused.response.text).not.toContain("hb_");
  expect((await fetchPage(`${await addressOfOwner("nobody-yet")}/`)).status).toBe(404);
});

test("a page's query is kept through the sign-in, and hidden from the identity provider", async () => {
  const name = unusedUsername("asking");
  const drop = await publish(account.api, { visibility: "people", readers: [name] });
  const second = await publish(account.api, { visibility: "people", readers: [name] });
  const sent = "a=1;b&a=%20+x&ticket=mine&account=other&from=raw";
  const visitor = new Visitor();

  const missing = await visitor.open(`${drop.url}?v=1&${sent}`);
  const left = await visitor.request(offeredSignIn(missing));
  const provider = await visitor.open(left.response.headers.location ?? "");
  const shown = await visitor.submit(provider, { username: name });
  // A reader with a session is redirected through the sign-in without a click.
  const next = await visitor.open(`${second.url}?${sent}`);

  for (const told of [left.response.headers.location ?? "", provider.url.href]) {
    expect(told).not.toContain("mine");
  }
  expect([shown.response.status, shown.url.href]).toEqual([200, `${onBaseHost(drop.url)}?v=1&${sent}`]);
  expect([next.response.status, next.url.href]).toEqual([200, `${onBaseHost(second.url)}?${sent}`]);
});

test("a restricted drop can be read only by signed-in people while its settings include them", async () => {
  const name = unusedUsername("reader");
  const drop = await publish(account.api, { title: "Between us", visibility: "people", readers: [name] });
  const edit = (body: object) => account.api.succeed("edit-drop", { params: { slug: drop.slug }, body });
  const visitor = new Visitor();

  const shown = await signInToRead(drop.url, name, visitor);
  const stranger = await signInToRead(drop.url, unusedUsername("stranger"));

  expect(elementsOf(shown.response, "h1").map(textOf)).toEqual(["Between us"]);
  expect(shown.url.href).toBe(onBaseHost(drop.url));
  expectErrorPage(stranger.response, 404);
  await edit({ readers: ["somebody-else"] });
  expect((await visitor.open(drop.url)).response.status).toBe(404);
  await edit({ visibility: "members" });
  expect((await visitor.open(drop.url)).response.status).toBe(200);
});
