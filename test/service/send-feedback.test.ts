import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { feedbackForm, inWindow, say, sendForm, type Typed, threadsOf } from "../support/feedback-forms.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl } from "../support/http.ts";
import { folderFile, hasOwnOrigin, ownerAddress, ownerName } from "../support/owner-address.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { offeredSignIn } from "../support/reader.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, linkTo, textOf, type Visit, Visitor } from "../support/visitor.ts";

let account: Account;

beforeAll(async () => {
  account = await newAccount("said");
});

/** Publishes a drop whose readers may comment, and returns it with the URL of its comments. */
async function given(fields: object = {}) {
  const drop = await publish(account.api, { html: pageOf("leaves"), feedback: "readers", ...fields });
  return { ...drop, address: `${baseUrl()}/p/${drop.slug}/feedback` };
}

const open = (visitor: Visitor, address: string) => visitor.open(address, { headers: inWindow });

/** Signs in with the page's own link, and returns to the page. */
async function signIn(address: string, username = unusedUsername("reader"), visitor = new Visitor()) {
  const provider = await visitor.open(offeredSignIn(await open(visitor, address)));
  return { visitor, page: await visitor.submit(provider, { username }), username };
}

/** Enters the passcode. */
async function enter(address: string, visitor = new Visitor()) {
  const page = await visitor.submit(await open(visitor, address), { passcode: "open sesame" });
  return { visitor, page };
}

/** Returns the field values of the refused form, and the reason. */
function refusalOf({ response }: Visit) {
  const [problem] = elementsOf(response, "div").filter(({ attribs }) => attribs.role === "alert");
  const form = problem?.parent as ReturnType<typeof elementsOf>[number];
  const fields = feedbackForm(
    { response, url: new URL("http://localhost") },
    Number(form && threadOf(form)) || undefined,
  ).fields;
  const { quote, text, name } = fields;
  return { status: response.status, problem: problem && textOf(problem), quote, text, name };
}

function threadOf(form: ReturnType<typeof elementsOf>[number]): string | undefined {
  const inputs = form.children.flatMap((child) => ("attribs" in child ? [child.attribs] : []));
  return inputs.find(({ name }) => name === "thread")?.value;
}

describe("a signed-in reader", () => {
  test("starts a thread about a passage and replies in it under their own name, from either host", async () => {
    const { slug, address, url } = await given();

    for (const where of [address, `${ownerAddress(url)}/p/${slug}/feedback`]) {
      const { visitor, page, username } = await signIn(where);
      const first = await say(visitor, page, { quote: " leaves ", text: "One.\r\nTwo.\r\n" });
      expect(first.url.href).toMatch(/\?v=1#t[12]-1$/);
      const thread = Number(/#t(\d)/.exec(first.url.hash)?.[1]);
      const second = await say(visitor, first, { text: "Three." }, thread);

      expect(second.url.href).toBe(`${address}?v=1#t${thread}-2`);
      expect(threadsOf(second)[0]).toEqual({
        quote: "leaves",
        comments: [
          [username, "One.\nTwo."],
          [username, "Three."],
        ],
      });
      expect(
        elementsOf(second.response, "li").filter(({ attribs }) => attribs.id === `t${thread}-2`),
      ).toHaveLength(1);
    }
  });

  test("who is the owner is marked as the owner", async () => {
    const drop = await given();
    const { visitor, page } = await signIn(drop.address, account.username);

    const said = await say(visitor, page, { text: "I see." });

    expect(threadsOf(said)[0]?.comments).toEqual([[ownerName(drop.url), "I see."]]);
    expect(textOf(elementsOf(said.response, "article")[0] as never)).toContain("the page’s owner");
  });
});

test("a thread on a folder refers to one of its pages, in which the passage is searched", {
  tags: "slow",
}, async () => {
  const { slug, raw_url } = await publishFolder(account.api, {
    "index.html": "<title>Site</title><p>Entry</p>",
    "docs/index.html": Buffer.from('<meta charset="iso-8859-1"><title>Docs</title><p>Größe</p>', "latin1"),
    "notes.txt": "Größe",
  });
  await account.api.succeed("edit-drop", { params: { slug }, body: { feedback: "readers" } });
  const { visitor, page } = await signIn(`${baseUrl()}/p/${slug}/feedback`);
  const form = feedbackForm(page);
  expect(form.fields.path).toBe("index.html");

  for (const path of ["docs/", "no/such.html", "notes.txt"])
    await sendForm(visitor, { ...form, fields: { ...form.fields, path } }, { text: path, quote: "Größe" });

  const { comments } = await account.api.succeed("list-feedback", { query: { slug } });
  expect(comments.map(({ text, thread }) => [text, thread.path, thread.passage.state])).toEqual([
    ["docs/", "docs/index.html", "kept"],
    ["no/such.html", "index.html", "unknown"],
    ["notes.txt", "index.html", "unknown"],
  ]);
  const shown = await open(visitor, `${baseUrl()}/p/${slug}/feedback`);
  const framed = new URL(folderFile(raw_url, "@1-framed/docs/index.html")).pathname;
  expect(linkTo(shown, framed).pathname).toBe(framed);
});

test("a reader with the passcode comments under a name that they enter, and is refused without one", {
  tags: "slow",
}, async () => {
  const { address } = await given({ passcode: "open sesame" });
  const { visitor, page } = await enter(address);

  const nameless = await sendForm(visitor, feedbackForm(page), { text: "Hello", quote: "leaves" });
  const said = await say(visitor, page, { text: "Hello", name: "  Ada \n Lovelace " });

  expect(refusalOf(nameless)).toEqual({
    status: 400,
    problem: expect.stringContaining("Enter a name"),
    quote: "leaves",
    text: "Hello",
    name: "",
  });
  expect(threadsOf(said)[0]?.comments).toEqual([["Ada Lovelace", "Hello"]]);
  expect(textOf(elementsOf(said.response, "article")[0] as never)).toContain("under an unverified name");
});

describe("a comment that", () => {
  test.each<[string, Typed & { readonly text: string }, RegExp]>([
    ["is empty", { text: " \r\n ", quote: "leaves" }, /Write a comment/],
    [
      "is too long",
      { text: "🍃".repeat(limits.commentCodePointsMax + 1) },
      /2,001 characters\. The limit is 2,000/,
    ],
    [
      "has a quote that is too long",
      { text: "x", quote: "🍃".repeat(limits.quoteCodePointsMax + 1) },
      /501 characters\. The limit is 500/,
    ],
    ["marks an invalid region", { text: "x", region: "0,0,1.5,1" }, /four fractions from 0 to 1/],
    ["has a selector that is too long", { text: "x", selector: "p".repeat(501) }, /501 characters.*500/],
  ])("%s is refused, and the input is kept", async (_, typed, problem) => {
    const { address } = await given();
    const { visitor, page } = await signIn(address);

    const refused = await sendForm(visitor, feedbackForm(page), typed);

    expect(refusalOf(refused)).toMatchObject({
      status: 400,
      problem: expect.stringMatching(problem),
      text: typed.text.trim(),
      quote: typed.quote ?? "",
    });
    expect(elementsOf(refused.response, "iframe")).toHaveLength(1);
    expect(threadsOf(await open(visitor, address))).toEqual([]);
  });

  test("replies in a missing thread is refused, and can then start a new thread", async () => {
    const { address } = await given();
    const { visitor, page } = await signIn(address);
    const form = feedbackForm(page);

    const refused = await sendForm(
      visitor,
      { ...form, fields: { ...form.fields, thread: "7" } },
      { text: "Still." },
    );

    expect(refusalOf(refused)).toMatchObject({
      status: 404,
      text: "Still.",
      problem: expect.stringContaining("was deleted"),
    });
    expect(feedbackForm(refused).fields).not.toHaveProperty("thread");
  });

  test("is sent after the session has ended is refused, and can be sent again after signing in", {
    tags: "slow",
  }, async () => {
    const { address } = await given();
    const { visitor, page, username } = await signIn(address);
    visitor.keep(address, "__Host-dl_reader=; Max-Age=0; Path=/; Secure");

    const refused = await sendForm(visitor, feedbackForm(page), { text: "Still here." });
    await signIn(address, username, visitor);
    const stale = await sendForm(visitor, feedbackForm(refused), { text: "Still here." });
    const sent = await sendForm(visitor, feedbackForm(stale));

    expect(refusalOf(refused)).toMatchObject({
      status: 403,
      text: "Still here.",
      problem: expect.stringContaining("signed out"),
    });
    expect(refusalOf(stale)).toMatchObject({
      status: 403,
      text: "Still here.",
      problem: expect.stringContaining("is yours"),
    });
    expect(sent.response.status).toBe(303);
  });

  test("is sent without the passcode's cookie is refused, without revealing the page", {
    tags: "slow",
  }, async () => {
    const { address, slug } = await given({ passcode: "open sesame", title: "words behind it" });
    const { visitor, page } = await enter(address);
    visitor.keep(address, `__Host-dl_${slug}=; Max-Age=0; Path=/; Secure`);

    const refused = await sendForm(visitor, feedbackForm(page), {
      text: "Still here.",
      quote: "leaves",
      name: "Ada",
    });

    expectErrorPage(refused.response, 403);
    expect(elementsOf(refused.response, "textarea").map(textOf)).toEqual(["leaves", "Still here."]);
    expect(refused.response.text).not.toContain("words behind it");
    expect(linkTo(refused, new URL(address).pathname).search).toBe("?v=1");
  });

  test("is sent to a deleted drop or one without comments gets the 404 of a missing drop, with the input", {
    tags: "slow",
  }, async () => {
    const [drop, other] = [await given(), await given()];
    const { visitor, page } = await signIn(drop.address);
    const form = feedbackForm(page);
    await account.api.succeed("delete-drop", { params: { slug: drop.slug } });
    await account.api.succeed("edit-drop", { params: { slug: other.slug }, body: { feedback: "off" } });

    const refused = await Promise.all(
      [drop.slug, other.slug, "0000000"].map(async (slug) => {
        const url = new URL(form.url.href.replace(drop.slug, slug));
        const { response } = await sendForm(visitor, { ...form, url }, { text: "Still here." });
        expectErrorPage(response, 404);
        return response.text.replaceAll(slug, "").replaceAll(/nonce="[^"]+"/g, "");
      }),
    );

    expect(refused[0]).toContain("Still here.");
    expect(new Set(refused).size).toBe(1);
  });

  test("was written about a version that is now deleted is stored for the latest version", {
    tags: "slow",
  }, async () => {
    const { address, slug } = await given();
    const { visitor, page } = await signIn(address);
    await account.api.succeed("publish-version", { params: { slug }, body: { html: pageOf("2") } });
    await account.api.succeed("delete-version", { params: { slug, n: 1 } });

    const sent = await sendForm(visitor, feedbackForm(page), { text: "Still." });

    expect(sent.response.status).toBe(303);
    expect(threadsOf(await open(visitor, address))[0]?.comments).toHaveLength(1);
  });
});

describe("a comment is refused if its form is sent", () => {
  const refusals: readonly (readonly [string, Readonly<Record<string, string>>, object])[] = [
    ["by another site", { origin: "https://elsewhere.example" }, {}],
    ["by a sandboxed page", { origin: "null" }, {}],
    ["with only fetch metadata, from another site", { origin: "", "sec-fetch-site": "cross-site" }, {}],
    ["without a proof", {}, { proof: "" }],
    ["with an invalid proof", {}, { proof: "A".repeat(43) }],
  ];

  for (const { cases, options } of quickAndSlow(refusals, () => true))
    test.each(cases)("%s", options, async (_, headers, fields) => {
      const { address } = await given();
      const { visitor, page } = await signIn(address);
      const form = feedbackForm(page);
      const sent = { ...form, fields: { ...form.fields, ...fields } };

      const refused = await sendForm(visitor, sent, { text: "not mine" }, headers);

      expect(refused.response.status).toBe(403);
      expect(threadsOf(await open(visitor, address))).toEqual([]);
    });

  test("with another reader's proof, or with the proof for another drop", async () => {
    const [one, other] = [await given(), await given()];
    const [mine, theirs] = [await signIn(one.address), await signIn(one.address)];
    const { proof = "" } = feedbackForm(theirs.page).fields;
    const ofOther = feedbackForm(await open(mine.visitor, other.address)).fields.proof ?? "";
    const form = feedbackForm(mine.page);

    for (const forged of [proof, ofOther]) {
      const sent = { ...form, fields: { ...form.fields, proof: forged } };
      expect((await sendForm(mine.visitor, sent, { text: "not mine" })).response.status).toBe(403);
    }
    expect(threadsOf(await open(mine.visitor, one.address))).toEqual([]);
  });

  test("by the owner's own pages, although they are on the same site as the service", async () => {
    const { address, url } = await given();
    if (!hasOwnOrigin(url)) return;
    const { visitor, page } = await signIn(address);
    const { origin } = new URL(url);

    for (const site of ["same-site", "same-origin"]) {
      const headers = { origin, "sec-fetch-site": site };
      const refused = await sendForm(visitor, feedbackForm(page), { text: "not mine" }, headers);
      expectErrorPage(refused.response, 403);
    }
    expect(threadsOf(await open(visitor, address))).toEqual([]);
  });

  test("by another host's script or frame, for a drop without comments, or at an owner's host", {
    tags: "slow",
  }, async () => {
    const drop = await given();
    const restricted = await given({ visibility: "members" });
    const off = await given({ feedback: "off" });
    const { visitor, page } = await signIn(drop.address);
    const form = feedbackForm(page);
    const ofRestricted = feedbackForm(await open(visitor, restricted.address));
    const to = (address: string) => ({ ...form, url: new URL(address) });

    for (const destination of ["empty", "iframe"]) {
      for (const site of ["same-site", "cross-site"]) {
        const headers = { "sec-fetch-dest": destination, "sec-fetch-site": site };
        expect((await sendForm(visitor, form, { text: "x" }, headers)).response.status).toBe(403);
        expectErrorPage((await sendForm(visitor, ofRestricted, { text: "x" }, headers)).response, 404);
      }
    }
    expectErrorPage((await sendForm(visitor, to(off.address), { text: "x" })).response, 404);
    expectErrorPage(
      (await sendForm(visitor, to(drop.address.replace(drop.slug, "0000000")), { text: "x" })).response,
      404,
    );
    const onOwners = `${ownerAddress(drop.url)}/p/${drop.slug}/feedback`;
    for (const address of [onOwners, onOwners.replace(ownerName(drop.url), "somebody-else")])
      expectErrorPage((await sendForm(visitor, to(address), { text: "x" })).response, 404);
    for (const { address } of [drop, restricted]) expect(threadsOf(await open(visitor, address))).toEqual([]);
  });

  test("by a visitor who is not signed in, on a public drop", async () => {
    const { address } = await given();
    const visitor = new Visitor();
    const fields = { proof: "", form: "x" };

    const refused = await sendForm(visitor, { url: new URL(address), fields }, { text: "kept" });

    expect(refusalOf(refused)).toMatchObject({ status: 403, text: "kept" });
    expect(elementsOf(refused.response, "a").map(({ attribs }) => attribs.target)).toContain("_blank");
  });
});

test("a form sent repeatedly is stored once, and again only with another text", {
  tags: "slow",
}, async () => {
  const { address } = await given();
  const { visitor, page } = await signIn(address);
  const form = feedbackForm(page);

  const sent = await Promise.all([1, 2, 3].map(() => sendForm(visitor, form, { text: "Once." })));
  const again = await sendForm(visitor, form, { text: "Once." });
  const other = await sendForm(visitor, form, { text: "Gone back, and said otherwise." });

  expect([...sent, again, other].map(({ response }) => response.status)).toEqual(Array(5).fill(303));
  const said = threadsOf(await open(visitor, address)).map(({ comments }) => comments[0]?.[1]);
  expect(said.toSorted()).toEqual(["Gone back, and said otherwise.", "Once."]);
});

describe("the comment limit", () => {
  test("is ten comments of one reader in ten minutes, in all sessions together, and keeps refused text", {
    tags: "nightly",
  }, async () => {
    const { address } = await given();
    const { visitor, page, username } = await signIn(address);
    const form = feedbackForm(page);
    for (let index = 0; index < limits.commentsPerTenMinutesPerReader; index += 1)
      expect((await sendForm(visitor, form, { text: `${index}` })).response.status).toBe(303);

    const refused = await sendForm(visitor, form, { text: "One more.", quote: "leaves" });
    const again = await signIn(address, username);
    const inNewSession = await sendForm(again.visitor, feedbackForm(again.page), { text: "Two more." });
    const asJson = await sendForm(visitor, form, { text: "Three." }, { accept: "application/json" });

    expect(refusalOf(refused)).toMatchObject({
      status: 429,
      text: "One more.",
      quote: "leaves",
      problem: expect.stringMatching(/Try again in \d+ minutes\./),
    });
    expect(Number(refused.response.headers["retry-after"])).toBeGreaterThan(500);
    expect(inNewSession.response.status).toBe(429);
    expectError(asJson.response, "rate_limited");
    const other = await signIn(address);
    await say(other.visitor, other.page, { text: "Somebody else." });
  });

  test("applies separately to each browser that has entered a passcode", {
    tags: "nightly",
  }, async () => {
    const { address } = await given({ passcode: "open sesame" });
    const { visitor, page } = await enter(address);
    const form = feedbackForm(page);
    for (let index = 0; index < limits.commentsPerTenMinutesPerReader; index += 1)
      expect((await sendForm(visitor, form, { text: `${index}`, name: "Ada" })).response.status).toBe(303);

    const refused = await sendForm(visitor, form, { text: "More.", name: "Grace" });
    const other = await enter(address);

    expect(refusalOf(refused)).toMatchObject({ status: 429, text: "More.", name: "Grace" });
    await say(other.visitor, other.page, { text: "Mine.", name: "Grace" });
  });
});
