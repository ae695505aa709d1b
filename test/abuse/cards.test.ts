// @module-tag slow

import { beforeAll, describe, expect, test } from "vitest";
import type { Drop } from "../../functions/drops/drop.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { givenPictureBytes, givenRender } from "../support/given-render.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { addressOfOwner } from "../support/owner-address.ts";
import { within } from "../support/promised-time.ts";
import { expectCommonHeaders } from "../support/security-headers.ts";
import { type GivenPerson, givenDrops, givenPerson, givenVersions, openStores } from "./given-person.ts";

let person: GivenPerson;
let owner: string;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("cards");
  owner = await addressOfOwner(person.namespace);
});

const hosts = () => [owner, baseUrl()];

describe("for a public page", () => {
  test("card and thumbnail are served on both hosts, and the edge caches those of a version", async () => {
    const drop = await givenDrop();
    await givenRender(drop);

    for (const host of hosts()) {
      for (const [name, type] of [
        ["card", "image/png"],
        ["thumbnail", "image/webp"],
      ] as const) {
        const address = `${host}/p/${drop.slug}/raw?drawn=${name}&v=1`;
        const first = await fetchPage(address);
        const second = await fetchPage(address);

        expect([first.status, first.headers["content-type"]]).toEqual([200, type]);
        expect(first.bytes).toEqual(givenPictureBytes(drop.slug, 1, name));
        expect(first.headers["cache-control"]).toBe("public, max-age=0, s-maxage=14400, must-revalidate");
        expect(first.headers["content-security-policy"]).toBe("default-src 'none'; sandbox");
        expect(first.headers["cross-origin-resource-policy"]).toBe("cross-origin");
        expectCommonHeaders(first);
        expect(second.headers["x-cache"]).toMatch(/^Hit/);
        const again = { "if-none-match": String(first.headers.etag) };
        expect((await fetchPage(address, { headers: again })).status).toBe(304);
        const head = await fetchPage(address, { method: "HEAD" });
        expect([head.status, head.headers["content-type"], head.text]).toEqual([200, type, ""]);
      }
    }
  });

  test("card and thumbnail without a version are those of the latest version", async () => {
    const drop = await givenDrop();
    await givenVersions(person, drop.slug, 1);
    await givenRender(drop, 1);
    await givenRender(drop, 2);

    const { bytes, headers } = await fetchPage(`${owner}/p/${drop.slug}/raw?drawn=card`);

    expect(bytes).toEqual(givenPictureBytes(drop.slug, 2, "card"));
    expect(headers["cache-control"]).toBe("public, max-age=0, s-maxage=2, must-revalidate");
  });

  test("an unknown query value returns the page, not a picture", async () => {
    const drop = await givenDrop();
    await givenRender(drop);

    for (const query of ["drawn=page", "drawn=", "drawn=phone-light", "picture=card"]) {
      expect((await fetchPage(`${owner}/p/${drop.slug}/raw?v=1&${query}`)).text, query).toContain("given");
    }
  });
});

describe("the neutral card", () => {
  test("is served for a page that is not rendered yet, failed to render, shows a restricted file or is locked", {
    tags: "nightly",
  }, async () => {
    const plain = await givenDrop();
    const locked = await givenDrop();
    const failed = await givenDrop();
    const forSome = await givenDrop();
    const replaced = await givenDrop();
    await givenRender(locked);
    await lock(locked);
    await givenRender(failed, 1, { state: "failed", pictures: [] });
    await givenRender(forSome, 1, { hasRestrictedFiles: true });
    await givenRender(replaced, 1, { pageKey: `${replaced.slug}/another` });

    const answers = [];
    for (const { slug } of [plain, locked, failed, forSome, replaced]) {
      for (const host of hosts()) {
        const { status, headers, bytes } = await fetchPage(`${host}/p/${slug}/raw?drawn=card&v=1`);
        const kept = Object.entries(headers).filter(([name]) => !/^(date|age|x-(request|amz).*)$/.test(name));
        answers.push(JSON.stringify([status, kept, bytes.toString("base64")]));
        expectErrorPage(await fetchPage(`${host}/p/${slug}/raw?drawn=thumbnail&v=1`), 404);
      }
    }

    expect(new Set(answers).size).toBe(1);
    const { headers, bytes } = await fetchPage(`${owner}/p/${locked.slug}/raw?drawn=card&v=1`);
    expect(headers["cache-control"]).toBe("no-store");
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  });

  test("is replaced by the card as soon as it is rendered", async () => {
    const drop = await givenDrop();
    const address = `${owner}/p/${drop.slug}/raw?drawn=card&v=1`;
    expect((await fetchPage(address)).bytes.subarray(1, 4).toString()).toBe("PNG");

    await givenRender(drop);

    expect((await fetchPage(address)).bytes).toEqual(givenPictureBytes(drop.slug, 1, "card"));
  });
});

test("a missing page or version has no card", async () => {
  const drop = await givenDrop();
  await givenRender(drop);

  for (const host of hosts()) {
    for (const path of ["/p/0000000/raw?drawn=card", `/p/${drop.slug}/raw?drawn=card&v=2`]) {
      expectErrorPage(await fetchPage(host + path), 404);
    }
  }
});

test.each([
  ["locked", async (drop: Drop) => lock(drop)],
  ["deleted", async ({ slug }: Drop) => void (await person.api.succeed("delete-drop", { params: { slug } }))],
])("when a page is %s, its cards are removed from the edge", async (_, take) => {
  const drop = await givenDrop();
  await givenRender(drop);
  const addresses = hosts().flatMap((host) =>
    ["card", "thumbnail"].map((name) => `${host}/p/${drop.slug}/raw?drawn=${name}&v=1`),
  );
  for (const address of addresses) expect((await fetchPage(address)).bytes.toString()).toContain(drop.slug);

  await take(drop);

  for (const address of addresses) {
    await expect
      .poll(async () => (await fetchPage(address)).bytes.toString(), within(5))
      .not.toContain(`of ${drop.slug}`);
  }
});

async function givenDrop(): Promise<Drop> {
  const [drop] = await givenDrops(person, 1);
  if (!drop) throw new Error("A drop was given.");
  return drop;
}

async function lock({ slug }: Drop): Promise<void> {
  await person.api.succeed("set-passcode", { params: { slug }, body: { passcode: "open sesame" } });
}
