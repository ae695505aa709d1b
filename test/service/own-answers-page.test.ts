import { DomUtils } from "htmlparser2";
import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { type Account, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { deleteAnswer, newOwner, openSignedIn, sendAnswersForm } from "../support/own-pages.ts";
import { elementsOf, linkTo, textOf, type Visit, Visitor } from "../support/visitor.ts";

const html =
  '<form data-answers="vote" data-answers-many><input type="radio" name="day" value="Monday"><textarea name="why"></textarea></form>' +
  '<form data-answers="topics" data-answers-many><input type="checkbox" name="topic"></form>';

let owner: Account & { readonly visitor: Visitor };
let visitor: Visitor;

beforeAll(async () => {
  owner = await newOwner("answers-page");
  visitor = owner.visitor;
});

/** Publishes a drop and sends these answers to its form `vote`. */
async function givenDrop(...sent: readonly Readonly<Record<string, string>>[]) {
  const drop = await publish(owner.api, { title: "Lunch", html, answers: "readers" });
  for (const fields of sent) await send(drop, "vote", new URLSearchParams(fields));
  return { drop, path: `/account/drops/${drop.slug}/answers` };
}

async function send({ slug }: DropResponse, form: string, fields: URLSearchParams): Promise<void> {
  const { status, text } = await fetchPage(new URL(`/p/${slug}/answers?form=${form}`, baseUrl()), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: fields.toString(),
  });
  expect(status, text).toBe(200);
}

/** Returns the cells' texts of each row of answers, without the time and the button. */
function rowsOf({ response }: Visit): string[][] {
  return elementsOf(response, "tr")
    .slice(1)
    .map((row) => DomUtils.getChildren(row).map((cell) => DomUtils.textContent(cell)))
    .map(([number = "", who = "", , version = "", ...fields]) => [
      number,
      who,
      version,
      ...fields.slice(0, -1),
    ]);
}

function said(page: Visit, role: "alert" | "status"): string[] {
  return [...elementsOf(page.response, "div"), ...elementsOf(page.response, "p")]
    .filter(({ attribs }) => attribs.role === role)
    .map(textOf);
}

describe("the page of a drop's answers", () => {
  test("shows a form's answers, newest first, with a column for each field", async () => {
    const { drop, path } = await givenDrop({ day: "Monday" }, { day: "Monday", why: "It is\nquiet" });
    await send(drop, "topics", new URLSearchParams("topic=cost&topic=time"));

    const dropPage = await visitor.open(`/account/drops/${drop.slug}`);
    const latest = await visitor.open(linkTo(dropPage, path));
    const votes = await visitor.open(`${path}?form=vote`);

    expect(dropPage.response.text).toContain("Answers: 3");
    expect(rowsOf(latest)).toEqual([["3", "No name", "1", "costtime"]]);
    expect(rowsOf(votes)).toEqual([
      ["2", "No name", "1", "Monday", "It is\nquiet"],
      ["1", "No name", "1", "Monday", ""],
    ]);
    expect(elementsOf(votes.response, "th").slice(0, 7).map(textOf)).toEqual([
      "Number",
      "Reader",
      "Sent",
      "Version",
      "day",
      "why",
      "Delete",
    ]);
    expect(votes.response.text).toContain("topics (1)");
  });

  test("is linked only from drops that accept answers or have some", async () => {
    const silent = await publish(owner.api, { title: "Silent" });
    const { drop, path } = await givenDrop({ why: "Because" });
    await owner.api.succeed("edit-drop", { params: { slug: drop.slug }, body: { answers: "off" } });

    const [without, closed] = [
      await visitor.open(`/account/drops/${silent.slug}`),
      await visitor.open(`/account/drops/${drop.slug}`),
    ];

    expect(without.response.text).not.toContain(`${silent.slug}/answers`);
    const page = await visitor.open(linkTo(closed, path));
    expect(rowsOf(page)).toHaveLength(1);
    expect(page.response.text).toContain("The page doesn’t accept answers now.");
  });

  test("escapes HTML in readers' answers", async () => {
    const { path } = await givenDrop({ why: '<img src=x onerror="alert(1)"><script>alert(2)</script>' });

    const page = await visitor.open(path);

    expect(rowsOf(page)[0]?.[3]).toBe('<img src=x onerror="alert(1)"><script>alert(2)</script>');
    expect(elementsOf(page.response, "img")).toEqual([]);
  });

  test("searches the answers' text, ignoring case and accents", async () => {
    const { path } = await givenDrop({ why: "Café first" }, { why: "Nothing" }, { why: "The CAFE last" });

    const found = await visitor.open(`${path}?q=cafe`);
    const none = await visitor.open(`${path}?q=tea`);

    expect(rowsOf(found).map(([number]) => number)).toEqual(["3", "1"]);
    expect(rowsOf(none)).toEqual([]);
    expect(said(none, "status")).toEqual(["No answers match. Try other words, or part of a word."]);
  });

  test("shows fifty answers, and links to older ones", { tags: "slow" }, async () => {
    const { path } = await givenDrop(...Array.from({ length: 51 }, (_, index) => ({ why: `${index}` })));

    const newest = await visitor.open(path);
    const older = elementsOf(newest.response, "a").find((link) => textOf(link) === "Older answers");
    const oldest = await visitor.open(older?.attribs.href ?? "");
    const deleted = await deleteAnswer(visitor, oldest, 1);

    expect(rowsOf(newest).map(([number]) => number)).toEqual(
      Array.from({ length: 50 }, (_, index) => `${51 - index}`),
    );
    expect(rowsOf(oldest).map(([number]) => number)).toEqual(["1"]);
    expect(oldest.response.text).toContain("Newest answers");
    expect(rowsOf(deleted)).toHaveLength(50);
  });

  test("returns 404 to other owners, and redirects signed-out visitors to the sign-in", async () => {
    const { path } = await givenDrop({ why: "Mine" });
    const other = await newOwner("answers-thief");

    for (const address of [path, `${path}.csv`]) {
      const { response } = await other.visitor.open(address);
      expectErrorPage(response, 404);
      expect(response.text).not.toContain("Mine");
    }
    const signedOut = await new Visitor().request(path);
    expect(signedOut.response.headers.location).toContain(encodeURIComponent(path));
  });

  test("opens after signing in", async () => {
    const { path } = await givenDrop({ why: "Mine" });

    const page = await openSignedIn(path, owner.username);

    expect([page.url.pathname, rowsOf(page).length]).toEqual([path, 1]);
  });
});

describe("the CSV of a drop's answers", () => {
  test("equals the API's CSV, with a byte order mark for spreadsheets", async () => {
    const { drop, path } = await givenDrop({ why: "=1+1" }, { why: 'Ein "Ü"' });
    const { text } = await owner.api.call("export-answers", {
      params: { slug: drop.slug },
      query: { form: "vote" },
    });

    const page = await visitor.open(path);
    const { response } = await visitor.open(linkTo(page, `${path}.csv`));

    expect(response.text.replace("\ufeff", "")).toBe(text);
    expect(Buffer.from(response.bytes).subarray(0, 3).toString("hex")).toBe("efbbbf");
    expect(response.headers["content-disposition"]).toBe(`attachment; filename="answers-${drop.slug}.csv"`);
    expect(response.text).toContain("'=1+1");
  });

  test("is split into parts if the answers do not fit into one file", { tags: "nightly" }, async () => {
    const sent = 110;
    // A quotation mark takes two characters in JSON.
    const { path } = await givenDrop(...Array.from({ length: sent }, () => ({ why: '"'.repeat(8_000) })));

    const page = await visitor.open(`${path}.csv?form=vote`);
    const links = elementsOf(page.response, "a").filter((link) => textOf(link).startsWith("Part "));
    const files = await Promise.all(links.map((link) => visitor.open(link.attribs.href ?? "")));

    expect(page.url.pathname).toBe(path);
    expect(links.map(textOf)).toEqual(["Part 1", "Part 2"]);
    const numbers = files.flatMap(({ response }) =>
      [...response.text.matchAll(/^(\d+),/gm)].map(([, number]) => Number(number)),
    );
    expect(numbers).toEqual(Array.from({ length: sent }, (_, index) => index + 1));
  });
});

describe("deleting answers", () => {
  test("deletes one answer and confirms it, also after a second click", async () => {
    const { path } = await givenDrop({ why: "One" }, { why: "Two" });
    const page = await visitor.open(`${path}?q=o`);

    const deleted = await deleteAnswer(visitor, page, 1);
    const again = await deleteAnswer(visitor, page, 1);

    expect(said(deleted, "status")).toEqual(["The answer was deleted."]);
    expect(said(again, "status")).toEqual(["The answer was deleted."]);
    expect(rowsOf(deleted).map(([number]) => number)).toEqual(["2"]);
  });

  test("deletes all answers to one form, and keeps those to others", async () => {
    const { drop, path } = await givenDrop({ why: "One" }, { why: "Two" });
    await send(drop, "topics", new URLSearchParams("topic=cost"));
    const page = await visitor.open(`${path}?form=vote`);
    const all = { form: "vote", count: "2", confirm: "yes" };
    expect(page.response.text).toContain("Delete all 2 answers to vote");

    const deleted = await sendAnswersForm(visitor, page, all);
    const again = await sendAnswersForm(visitor, page, all);

    for (const shown of [deleted, again]) {
      expect(said(shown, "status")).toEqual(["The answers were deleted."]);
      expect(rowsOf(shown)).toEqual([["3", "No name", "1", "cost"]]);
    }
  });

  test("deletes nothing if the box is not ticked, or if answers have arrived since the page was opened", async () => {
    const { drop, path } = await givenDrop({ why: "One" });
    const page = await visitor.open(path);
    await send(drop, "vote", new URLSearchParams({ why: "Unseen" }));

    const unticked = await sendAnswersForm(visitor, page, { form: "vote", count: "1" });
    const outdated = await sendAnswersForm(visitor, page, { form: "vote", count: "1", confirm: "yes" });

    expect(said(unticked, "alert")).toEqual(["To delete all answers, tick the box."]);
    expect(said(outdated, "alert")[0]).toContain("new answers have arrived");
    expect([unticked, outdated].map((shown) => rowsOf(shown).length)).toEqual([2, 2]);
  });

  test("requires the drop's own proof, and refuses that of another drop's page", async () => {
    const [{ path }, other] = [await givenDrop({ why: "One" }), await givenDrop({ why: "Two" })];
    const page = await visitor.open(path);

    const refused = await sendAnswersForm(
      visitor,
      { ...page, url: new URL(other.path, page.url) },
      { number: "1" },
    );

    expect(refused.response.status).toBe(403);
    expect(rowsOf(await visitor.open(other.path))).toHaveLength(1);
  });
});
