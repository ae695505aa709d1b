import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { baseUrl } from "../support/http.ts";
import { withoutNonces } from "../support/nonces.ts";
import { hasOwnOrigin, ownerAddress } from "../support/owner-address.ts";
import { sendAnswer, signedBody } from "../support/sent-answers.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";
import { openStores } from "./given-person.ts";
import { givenReader } from "./given-reader.ts";

// Requests from other pages, with the cookies of a reader of the drop. test/browser/isolation/answers.test.ts sends
// some in a browser, where subdomains of localhost are separate sites, which send no cookies.

const poll =
  '<!doctype html><title>Poll</title><form data-answers="vote"><input type="radio" name="day" value="Monday"><input type="radio" name="day" value="Friday"></form>' +
  '<form data-answers="log" data-answers-many><input name="entry"></form>';

let asked: Account;
let neighbour: string;
let slug: string;
let host: string;
let reader: Visitor;

beforeAll(async () => {
  await openStores();
  const [one, other] = await Promise.all([newAccount("asked"), newAccount("neighbour")]);
  asked = one;
  neighbour = ownerAddress((await publish(other.api)).url);
});

beforeEach(async () => {
  const drop = await publish(asked.api, { html: poll, answers: "readers" });
  slug = drop.slug;
  host = ownerAddress(drop.url);
  reader = new Visitor();
});

const publishGuarded = (fields: object) => publish(asked.api, { html: poll, answers: "readers", ...fields });

async function answersOf(of = slug) {
  const { answers } = await asked.api.succeed("list-answers", { params: { slug: of } });
  return answers.map(({ number, fields, author }) => ({ number, fields, signed: author.signed_in }));
}

const monday = { number: 1, fields: { day: "Monday" }, signed: false };

const from = (destination: string, site: string, origin: string) => ({
  "sec-fetch-dest": destination,
  "sec-fetch-site": site,
  origin,
  accept: "text/html",
});

/** Requests from other pages: by a script, or in a frame without a click. */
const ways: readonly (readonly [way: string, headers: () => Record<string, string | readonly string[]>])[] = [
  ["a script of another owner's page", () => from("empty", "same-site", neighbour)],
  ["a script of another site", () => from("empty", "cross-site", "https://evil.example")],
  ["a script in a sandbox", () => from("empty", "cross-site", "null")],
  ["a form in a frame that is submitted without a click", () => from("iframe", "cross-site", "null")],
  ["a form in a frame of another owner's page", () => from("iframe", "same-site", neighbour)],
  ["an embedded object", () => from("object", "same-site", neighbour)],
  [
    "a script in a browser from before 2023",
    () => ({
      ...from("", "", "https://evil.example"),
      "sec-fetch-dest": [],
      "sec-fetch-site": [],
      accept: "*/*",
    }),
  ],
];

describe.each(ways)("%s", (_, headers) => {
  test("cannot store or replace an answer with the visitor's cookies, on any host", async () => {
    for (const at of [baseUrl(), host]) await sendAnswer(slug, "day=Monday", { visitor: reader, host: at });
    const before = await answersOf();

    for (const at of [baseUrl(), host]) {
      const { response } = await sendAnswer(slug, "day=Friday", {
        visitor: reader,
        host: at,
        headers: headers(),
      });
      expect(response.status).toBe(403);
    }

    expect(before).toHaveLength(2);
    expect(await answersOf()).toEqual(before);
  });

  test("gets the same response for an existing drop as for a missing one", async () => {
    const { slug: restricted } = await publishGuarded({
      visibility: "people",
      readers: ["username:somebody"],
    });
    const told = async (of: string): Promise<string> => {
      const { response } = await sendAnswer(of, "day=Friday", { headers: headers() });
      return withoutNonces(JSON.stringify([response.status, response.text]).replaceAll(of, "slug"));
    };

    expect(await told(restricted)).toBe(await told("0000000"));
  });
});

test("a form on another owner's page, sent in a window to the owner's host, stores nothing", async () => {
  await sendAnswer(slug, "day=Monday", { visitor: reader, host });

  const { response } = await sendAnswer(slug, "day=Friday", {
    visitor: reader,
    host,
    headers: from("document", "same-site", neighbour),
  });

  expect(response.status).toBe(hasOwnOrigin(host) ? 403 : 200);
  expect(await answersOf()).toEqual([monday]);
});

test("a submission in a frame without scripts is a stranger's answer, and does not replace the reader's", async () => {
  const { visitor } = await givenReader();
  const asNone = { headers: { origin: baseUrl() }, query: { as: "none" } };
  await sendAnswer(slug, signedBody("day=Monday", ""), { visitor, ...asNone });

  const { response } = await sendAnswer(slug, "day=Friday", {
    visitor,
    headers: { ...from("iframe", "cross-site", "null"), "sec-fetch-user": "?1" },
  });

  expect(response.status).toBe(200);
  expect(response.setCookies).toEqual([]);
  expect(await answersOf()).toEqual([monday, { number: 2, fields: { day: "Friday" }, signed: false }]);
});

describe("a refused submission in a frame without scripts", () => {
  const inFrame = { ...from("iframe", "cross-site", "null"), "sec-fetch-user": "?1" };

  test.each<[what: string, guard: object | "missing", body: string, status: number, words: string]>([
    ["of an empty answer", {}, "", 400, "Fill in the form"],
    ["of a locked page", { passcode: "open sesame" }, "day=Friday", 403, "Page only"],
    ["of a restricted page", { visibility: "members" }, "day=Friday", 404, "Page only"],
    ["of a missing page", "missing", "day=Friday", 404, "Page only"],
  ])("%s shows in the frame what to do next", async (_, guard, body, status, words) => {
    const of = guard === "missing" ? "0000000" : (await publishGuarded(guard)).slug;

    const { response } = await sendAnswer(of, body, { headers: inFrame });

    expect([response.status, response.headers["content-security-policy"]]).toEqual([
      status,
      expect.stringContaining("frame-ancestors 'self'"),
    ]);
    expect(elementsOf(response, "main").map(textOf).join()).toContain(words);
  });

  test("shows the same for a restricted page as for a missing one", async () => {
    const { slug: restricted } = await publishGuarded({
      visibility: "people",
      readers: ["username:somebody"],
    });
    const told = async (of: string): Promise<string> => {
      const { response } = await sendAnswer(of, "day=Friday", { headers: inFrame });
      return withoutNonces(JSON.stringify([response.status, response.text]).replaceAll(of, "slug"));
    };

    expect(await told(restricted)).toBe(await told("0000000"));
  });
});

test("the signing page names the drop and its owner, so that no other page can pretend to be it", async () => {
  const { visitor, identity } = await givenReader();
  const drop = await publish(asked.api, {
    html: poll,
    title: "Shut <b>everything</b> down",
    answers: "readers",
  });
  const window = { accept: "text/html", "sec-fetch-dest": "document" };

  const forged = await sendAnswer(drop.slug, "day=Friday", {
    visitor,
    headers: { ...window, "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  });
  const { response } = await sendAnswer(drop.slug, signedBody("day=Friday", ""), {
    visitor,
    headers: { ...window, "sec-fetch-site": "same-origin", origin: baseUrl() },
    query: { as: "name" },
  });

  expect(forged.response.text).not.toContain(identity.username);
  expect(elementsOf(response, "button").map(textOf)).toContain(`Send as ${identity.username}`);
  const said = elementsOf(response, "main").map(textOf).join();
  expect(said).toContain("Shut <b>everything</b> down");
  expect(said).toContain(new URL(drop.url).hostname.split(".")[0]);
  expect(await answersOf(drop.slug)).toEqual([]);
});
