import { beforeAll, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { gateCookie } from "../../functions/gate/gate.ts";
import type { HttpRequest } from "../../functions/http/request.ts";
import { pageOf } from "../support/accounts.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { type GivenPerson, givenPerson, openStores } from "./given-person.ts";

let person: GivenPerson;

beforeAll(async () => {
  await openStores();
  person = await givenPerson("unlock");
});

/** Opens a locked drop with an unlock cookie that was set at `nowMs`. */
async function openWithCookieOf(drop: Drop, nowMs: number): Promise<"page" | "gate"> {
  const request = { host: new URL(baseUrl()).host } as HttpRequest;
  const [cookie = ""] = (await gateCookie(request, drop, nowMs)).split(";");
  const { text } = await fetchPage(`${baseUrl()}/p/${drop.slug}`, { headers: { cookie } });
  return text.includes('name="passcode"') ? "gate" : "page";
}

test("an unlock cookie expires on the server after seven days, however long a browser stores it", async () => {
  const body = { title: "Locked", html: pageOf("Locked"), passcode: "open sesame" };
  const { slug } = await person.api.succeed("publish-drop", { body });
  const drop = (await publicDrops.findBySlug(slug)) as Drop;
  const endMs = Date.now() - limits.passcodeCookieSeconds * 1000;

  const [before, after] = await Promise.all(
    [endMs + 60_000, endMs - 1_000].map((nowMs) => openWithCookieOf(drop, nowMs)),
  );

  expect({ before, after }).toEqual({ before: "page", after: "gate" });
});
