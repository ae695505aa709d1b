import { beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { publishFolder } from "../support/folders.ts";
import { baseUrl, unusedLoopbackAddress } from "../support/http.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { replyOf, type Sending, sendAnswer as send, signedBody } from "../support/sent-answers.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { elementsOf, textOf, Visitor } from "../support/visitor.ts";

const poll =
  '<!doctype html><title>Poll</title><form data-answers="vote"><input type="radio" name="day" value="Monday">' +
  '<input type="checkbox" name="extra" value="Cake"><textarea name="why"></textarea><input type="file" name="cv"></form>' +
  '<form data-answers="log" data-answers-many><input name="entry"></form>';

let account: Account;

beforeAll(async () => {
  account = await newAccount("asked");
});

const publishPoll = (fields: object = {}) =>
  publish(account.api, { html: poll, answers: "readers", ...fields });

async function answersOf(slug: string) {
  const { answers } = await account.api.succeed("list-answers", { params: { slug } });
  return answers.map(({ number, form, fields, author }) => ({
    number,
    form,
    fields,
    signed: author.signed_in,
  }));
}

async function signIn(slug: string): Promise<{ readonly visitor: Visitor; readonly username: string }> {
  const visitor = new Visitor();
  const username = unusedUsername("voter");
  const provider = await visitor.open(`${baseUrl()}/login/read?to=${encodeURIComponent(`/p/${slug}`)}`);
  await visitor.submit(provider, { username });
  return { visitor, username };
}

describe("an answer", () => {
  test("replaces the earlier one from the same browser, and is counted once", async () => {
    const { slug } = await publishPoll();
    const visitor = new Visitor();

    const first = await send(slug, "day=Monday&why=Quiet", { visitor });
    await send(slug, "day=Monday&extra=Cake&extra=Tea", { visitor });

    expect(replyOf(first)).toEqual({ state: "sent", message: expect.stringMatching(/^Sent\./) });
    expect(await answersOf(slug)).toEqual([
      { number: 2, form: "vote", fields: { day: "Monday", extra: ["Cake", "Tea"] }, signed: false },
    ]);
  });

  test("is added to the earlier ones if the form allows many answers per person", async () => {
    const { slug } = await publishPoll();
    const visitor = new Visitor();

    await send(slug, "entry=One", { visitor, form: "log" });
    await send(slug, "entry=Two", { visitor, form: "log" });

    expect((await answersOf(slug)).map(({ fields }) => fields)).toEqual([{ entry: "One" }, { entry: "Two" }]);
  });

  test("is also accepted on the owner's host", async () => {
    const { slug, url } = await publishPoll();

    await send(slug, "day=Monday", { host: ownerAddress(url) });

    expect(await answersOf(slug)).toHaveLength(1);
  });

  test("to a form in a folder is stored with the path of the form's page", async () => {
    const { slug } = await publishFolder(account.api, {
      "index.html": "<!doctype html><title>Site</title>",
      "ask/day.html": poll,
    });
    await account.api.succeed("edit-drop", { params: { slug }, body: { answers: "readers" } });

    const sent = await send(slug, "day=Monday", { query: { path: "ask/day.html" } });

    expect(replyOf(sent).state).toBe("sent");
    const { answers } = await account.api.succeed("list-answers", { params: { slug } });
    expect(answers[0]).toMatchObject({ path: "ask/day.html", version: 1 });
  });
});

describe("an answer is not stored if it", () => {
  test.each<[string, string, Sending, RegExp]>([
    ["is empty", "why=+%0A", {}, /Fill in the form/],
    ["has a field that the form does not have", "admin=1", {}, /no field "admin"/],
    ["is for a form that the page does not have", "day=Monday", { form: "other" }, /no form "other"/],
    ["has a file", "cv=cv.pdf", {}, /Remove the file from "cv"/],
    ["is too long", `why=${"x".repeat(limits.answerBytesMax)}`, {}, /8,?192/],
    [
      "is signed by a page of another host",
      "answer=day%3DMonday&username=x",
      { query: { as: "name" }, headers: { origin: "https://evil.example" } },
      /./,
    ],
    [
      "is signed by a sandboxed page",
      "answer=day%3DMonday&username=x",
      { query: { as: "name" }, headers: { origin: "null" } },
      /./,
    ],
  ])("%s", async (_, body, sending, message) => {
    const { slug } = await publishPoll();

    const refused = await send(slug, body, sending);

    expect(refused.response.status).toBeGreaterThanOrEqual(400);
    expect(refused.response.status).toBeLessThan(500);
    expect(replyOf(refused).error.message).toMatch(message);
    expect(await answersOf(slug)).toEqual([]);
  });

  test("is sent to a drop that accepts no answers, or to a missing or restricted drop", async () => {
    const off = await publishPoll({ answers: "off" });
    const restricted = await publishPoll({ visibility: "people", readers: ["username:somebody"] });

    const statuses = await Promise.all(
      [off.slug, restricted.slug, "0000000"].map(
        async (slug) => (await send(slug, "day=Monday")).response.status,
      ),
    );

    expect(statuses).toEqual([403, 404, 404]);
    expect(await answersOf(restricted.slug)).toEqual([]);
  });
});

describe("a signed-in reader", () => {
  test("signs an answer only with the service's own button, under the name that the button shows", async () => {
    const { slug } = await publishPoll();
    const { visitor, username } = await signIn(slug);
    const own = { origin: baseUrl() };
    const wrapped = (name: string) => signedBody("day=Monday", name);

    const asked = await send(slug, "day=Monday", { visitor });
    const stale = await send(slug, wrapped("somebody-else"), {
      visitor,
      headers: own,
      query: { as: "name" },
    });
    expect(await answersOf(slug)).toEqual([]);
    const sent = await send(slug, wrapped(username), { visitor, headers: own, query: { as: "name" } });
    const again = await send(slug, wrapped(username), { visitor, headers: own, query: { as: "name" } });

    expect(replyOf(asked)).toMatchObject({ state: "choose", username });
    expect(replyOf(stale)).toMatchObject({ state: "choose", username });
    expect([replyOf(sent).state, replyOf(again).state]).toEqual(["sent", "sent"]);
    expect(await answersOf(slug)).toEqual([
      { number: 1, form: "vote", fields: { day: "Monday" }, signed: true },
    ]);
  });

  test("has one answer to a form, whether with or without their name", async () => {
    const { slug } = await publishPoll();
    const { visitor, username } = await signIn(slug);
    const sendAs = (as: "name" | "none", form: string) => {
      const body = String(new URLSearchParams({ answer: "day=Monday", username, form }));
      return send(slug, body, { visitor, headers: { origin: baseUrl() }, query: { as } });
    };
    const counted: (readonly boolean[])[] = [];

    for (const [index, as] of (["none", "name", "none", "name"] as const).entries()) {
      await sendAs(as, `f${index}`);
      counted.push((await answersOf(slug)).map(({ signed }) => signed));
    }

    expect(counted).toEqual([[false], [true], [false], [true]]);
  });

  test("keeps their signed answer when a signed-out person answers in the same browser", async () => {
    const { slug } = await publishPoll();
    const { visitor, username } = await signIn(slug);
    const signed = String(new URLSearchParams({ answer: "day=Monday", username, form: "f1" }));
    await send(slug, signed, { visitor, headers: { origin: baseUrl() }, query: { as: "name" } });

    await visitor.submit(await visitor.open("/login/read"), {});
    await send(slug, "day=Monday", { visitor });

    expect((await answersOf(slug)).map(({ signed }) => signed)).toEqual([true, false]);
  });

  test("of a restricted page can answer without their name", async () => {
    const { visitor, username } = await signIn((await publishPoll()).slug);
    const { slug } = await publishPoll({ visibility: "people", readers: [`username:${username}`] });
    const body = signedBody("day=Monday", username);

    await send(slug, body, { visitor, headers: { origin: baseUrl() }, query: { as: "none" } });

    expect((await answersOf(slug)).map(({ signed }) => signed)).toEqual([false]);
  });
});

test("a form submitted by navigation shows the answer as text to confirm, and stores nothing yet", async () => {
  const { slug } = await publishPoll();
  const window = {
    accept: "text/html",
    "sec-fetch-dest": "document",
    "sec-fetch-site": "cross-site",
    origin: "null",
  };

  const page = await send(slug, "why=%3Cb%3EQuiet%3C%2Fb%3E", { headers: window });

  expect(page.response.status).toBe(200);
  expect(elementsOf(page.response, "dd").map(textOf)).toEqual(["<b>Quiet</b>"]);
  expect(page.response.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(await answersOf(slug)).toEqual([]);
});

describe("the results of a form", () => {
  const results = async (slug: string) => {
    const visitor = new Visitor();
    return visitor.request(new URL(`${baseUrl()}/p/${slug}/answers?form=vote`), {
      headers: { accept: "application/json" },
    });
  };

  test("count choices, and never contain text answers", async () => {
    const { slug } = await publishPoll({ answers_results: true });
    await send(slug, "day=Monday&why=A+secret");
    await send(slug, "day=Monday&extra=Cake");

    const { response } = await results(slug);

    expect(JSON.parse(response.text)).toEqual({
      counts: [
        ["day", [["Monday", 2]]],
        ["extra", [["Cake", 1]]],
      ],
    });
  });

  test("are hidden until the owner publishes them", async () => {
    const { slug } = await publishPoll();

    expect((await results(slug)).response.status).toBe(404);
  });
});

test("answers are limited per network and ten minutes, without affecting other networks", {
  tags: "nightly",
}, async () => {
  const { slug } = await publishPoll();
  const statuses: number[] = [];

  for (let batch = 0; batch < 13; batch += 1)
    statuses.push(
      ...(await Promise.all(
        Array.from(
          { length: 50 },
          async () => (await send(slug, "entry=x", { form: "log" })).response.status,
        ),
      )),
    );

  expect(statuses.filter((status) => status === 200)).toHaveLength(limits.answersPerTenMinutesPerNetwork);
  expect(statuses.filter((status) => status === 429)).toHaveLength(
    13 * 50 - limits.answersPerTenMinutesPerNetwork,
  );
  const elsewhere = await send(slug, "entry=y", { form: "log", from: unusedLoopbackAddress() });
  expect(replyOf(elsewhere).state).toBe("sent");
});
