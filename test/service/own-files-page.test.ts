import { beforeAll, describe, expect, test } from "vitest";
import type { Account } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { type ChosenFile, formRequest, newOwner, sendForm, uploadByForm } from "../support/own-pages.ts";
import { ownerName } from "../support/owner-address.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { within } from "../support/promised-time.ts";
import { elementsOf, textOf, type Visit, type Visitor } from "../support/visitor.ts";

const path = "/account/files";

let owner: Account & { readonly visitor: Visitor };
let visitor: Visitor;

beforeAll(async () => {
  owner = await newOwner("files-page");
  visitor = owner.visitor;
});

/** Uploads a file with the page's form, as a browser does. */
function upload(
  page: Visit,
  file: Partial<ChosenFile>,
  fields: Readonly<Record<string, string>> = {},
  by = visitor,
): Promise<Visit> {
  return uploadByForm(
    by,
    page,
    { name: "Chart.png", type: "image/png", bytes: "not really", ...file },
    fields,
  );
}

/** Finds the only listed file with this name, and returns its row's text, its URL and its id. */
function rowOf(page: Visit, name: string) {
  const rows = elementsOf(page.response, "li")
    .map(textOf)
    .filter((text) => text.startsWith(name));
  expect(rows).toHaveLength(1);
  const url = linkIn(page, name);
  return { text: rows[0] ?? "", url, id: url.split("/").at(-1) ?? "" };
}

function linkIn(page: Visit, name: string): string {
  return elementsOf(page.response, "a").find((link) => textOf(link) === name)?.attribs.href ?? "";
}

function alerts(page: Visit): string[] {
  return [...elementsOf(page.response, "div"), ...elementsOf(page.response, "p")]
    .filter(({ attribs }) => attribs.role === "alert")
    .map(textOf);
}

describe("the upload form", () => {
  test("creates a file under its own name or a chosen one", async () => {
    const page = await visitor.open(path);

    const uploaded = await upload(
      page,
      { name: "Grün_Plan (1).png", bytes: "pixels" },
      { visibility: "unlisted" },
    );

    expect([uploaded.response.status, uploaded.url.search]).toEqual([200, "?done=uploaded"]);
    const { text, url } = rowOf(uploaded, "Grun-Plan -1-.png");
    expect(text).toContain("Unlisted");
    const served = await fetchPage(url);
    expect([served.status, served.text, served.headers["content-type"]]).toEqual([
      200,
      "pixels",
      "image/png",
    ]);
    const named = await upload(uploaded, {}, { name: "Another name.png" });
    expect(linkIn(named, "Another name.png")).not.toBe("");
  });

  test("sent twice creates one file, and is refused when it is sent again with another file", {
    tags: "slow",
  }, async () => {
    const page = await visitor.open(path);
    const before = await usedFiles();

    const both = await Promise.all([
      upload(page, { name: "twice.txt" }),
      upload(page, { name: "twice.txt" }),
    ]);
    const other = await upload(page, { name: "other.txt", bytes: "something else" });

    expect(both.map(({ url }) => url.search)).toEqual(["?done=uploaded", "?done=uploaded"]);
    expect(await usedFiles()).toBe(before + 1);
    expectErrorPage(other.response, 409);
    expect(alerts(other)).toEqual(["This form was already sent with another file. Choose the file again."]);
    expect((await upload(other, { name: "other.txt", bytes: "something else" })).response.status).toBe(200);
  });

  test.each([
    ["without a file", { name: "", bytes: "" }, {}, "Choose a file."],
    ["with an empty file", { bytes: "" }, {}, "That file is empty. Choose another file."],
    [
      "with a file above the limit for browsers",
      { bytes: new Uint8Array(3_000_001) },
      {},
      "That file is too large to upload from a browser. Your agent can upload files of up to 25 MB with POST /api/blobs.",
    ],
    [
      "under an invalid name",
      {},
      { name: "a/b" },
      "A name can have 1 to 200 characters: Latin letters, digits, dashes, dots and spaces.",
    ],
    [
      "with an unknown visibility",
      {},
      { visibility: "everybody" },
      "This service does not allow this option. Choose a more restrictive one.",
    ],
  ])("is refused %s, and keeps the input", async (_, file, fields, why) => {
    const page = await visitor.open(path);
    const before = await usedFiles();

    const refused = await upload(page, file, { name: "Typed", ...fields });

    expectErrorPage(refused.response, 400);
    expect(alerts(refused)).toEqual([why]);
    expect(fieldsOf(refused, path).name).toBe({ name: "Typed", ...fields }.name);
    expect(await usedFiles()).toBe(before);
  });

  test("is refused at the edge above API Gateway's size limit, with advice to use the API", async () => {
    const page = await visitor.open(path);

    const refused = await upload(page, { bytes: new Uint8Array(3_145_728) });

    expect(refused.response.status).toBe(413);
    expect(refused.response.text).toContain("POST /api/blobs");
  });

  test("refuses malformed bodies", async () => {
    const { headers, ...rest } = formRequest(new URL(baseUrl()), "not multipart");
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x", "text/plain"]) {
      const refused = await visitor.open(path, { ...rest, headers: { ...headers, "content-type": type } });
      expectErrorPage(refused.response, 400);
    }
  });
});

describe("an owner's file", () => {
  test("can be made unlisted, restricted and public again, and is deleted after a confirmation", {
    tags: "slow",
  }, async () => {
    const page = await upload(await visitor.open(path), { name: "changes.txt" });
    const { id, url } = rowOf(page, "changes.txt");

    const unlisted = await sendForm(visitor, page, `${path}/${id}`, { visibility: "unlisted" });
    expect(rowOf(unlisted, "changes.txt").text).toContain("Unlisted");
    const restricted = await sendForm(visitor, unlisted, `${path}/${id}`, { visibility: "members" });
    const { text, url: guarded } = rowOf(restricted, "changes.txt");
    expect([text.includes("Members"), new URL(guarded, baseUrl()).href]).toEqual([
      true,
      `${baseUrl()}/files/${ownerName(url)}/${id}`,
    ]);
    const open = await sendForm(visitor, restricted, `${path}/${id}`, { visibility: "public" });
    expect(rowOf(open, "changes.txt").text).toContain("Public");
    const kept = await sendForm(visitor, open, `${path}/${id}/delete`);
    expectErrorPage(kept.response, 400);
    await expect.poll(async () => (await fetchPage(url)).status, within(5)).toBe(200);
    const [gone, again] = [
      await sendForm(visitor, open, `${path}/${id}/delete`, { confirm: "yes" }),
      await sendForm(visitor, open, `${path}/${id}/delete`, { confirm: "yes" }),
    ];

    expect([gone, again].map((visit) => visit.url.search)).toEqual([
      "?done=file-deleted",
      "?done=file-deleted",
    ]);
    expect(linkIn(gone, "changes.txt")).toBe("");
  });

  test("cannot be changed or deleted by another owner", { tags: "slow" }, async () => {
    const other = await newOwner("other-files");
    const theirs = await upload(await other.visitor.open(path), { name: "theirs.txt" }, {}, other.visitor);
    const { id } = rowOf(theirs, "theirs.txt");
    const mine = await upload(await visitor.open(path), { name: "mine.txt" });
    const own = rowOf(mine, "mine.txt").id;

    for (const [form, fields] of [
      ["", { visibility: "unlisted" }],
      ["/delete", { confirm: "yes" }],
    ] as const) {
      const body = new URLSearchParams({ ...fieldsOf(mine, `${path}/${own}${form}`), ...fields }).toString();
      const { response } = await visitor.open(`${path}/${id}${form}`, formRequest(mine.url, body));
      expectErrorPage(response, 403);
    }

    expect(rowOf(await other.visitor.open(path), "theirs.txt").text).toContain("Public");
  });
});

async function usedFiles(): Promise<number> {
  return (await owner.api.succeed("get-usage")).blobs.used ?? 0;
}

test("the files page of an account without files shows the form and no list", async () => {
  const { visitor: fresh } = await newOwner("no-files");

  const page = await fresh.open(path);

  expect(elementsOf(page.response, "li")).toEqual([]);
  expect(fieldsOf(page, path).visibility).toBe("public");
});
