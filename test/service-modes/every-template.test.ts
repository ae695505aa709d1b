// @module-tag nightly

import { expect, test } from "vitest";
import { settingsOfEachKind } from "../lib/settings-of-each-kind.ts";
import { type Account, newAccount, pageOf, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { fetchPage, type ReceivedResponse, useService } from "../support/http.ts";
import { addressOfOwner, ownerName } from "../support/owner-address.ts";
import { startService } from "../support/running-service.ts";
import { elementsOf, textOf } from "../support/visitor.ts";

/** Omits settings that change no request (stage, region) and the local base URL, which all tests use. No test service renders. */
const walkedThrough = settingsOfEachKind.filter(
  ([, { baseUrl, region, stage }]) =>
    region === undefined && stage !== "throwaway" && !baseUrl?.startsWith("http:"),
);

test.each(walkedThrough)(
  "with %s, people can sign in, publish, read, lock, upload and delete",
  async (_what, settings) => {
    const service = await startService({ settings, environmentsPerFunction: 1 });
    useService(service);
    try {
      const owner = await newAccount("walker");
      await publishAndRead(owner, settings.securityContact);
      await uploadLargely(owner, settings.ingest === "none");
      const contact = await fetchPage("/.well-known/security.txt");
      expect(contact.status).toBe(settings.securityContact === undefined ? 404 : 200);
    } finally {
      await service.stop();
    }
  },
);

async function publishAndRead(owner: Account, contact: string | undefined): Promise<void> {
  const drop = await publish(owner.api, { title: "On a walk", html: pageOf("walked") });
  const address = await addressOfOwner(ownerName(drop.url));
  expect(drop.url).toBe(`${address}/d/${drop.slug}`);
  expect(elementsOf(await fetchPage(drop.url), "h1").map(textOf)).toEqual(["On a walk"]);
  expect((await fetchPage(drop.raw_url)).text).toContain("walked");
  expect((await fetchPage(`${address}/`)).text).toContain("On a walk");
  for (const page of [drop.url, `${address}/`]) expectReport(await fetchPage(page), page, contact);
  const params = { slug: drop.slug };
  await owner.api.succeed("set-passcode", { params, body: { passcode: "open sesame" } });
  const shows = async () => (await fetchPage(drop.raw_url)).text.includes("walked");
  await expect.poll(shows).toBe(false);
  await owner.api.succeed("delete-drop", { params });
  expectErrorPage(await fetchPage(drop.url), 404);
}

/** Checks that a page links to the contact for reports, with its own URL in the subject, if a contact is configured. */
function expectReport({ text }: ReceivedResponse, address: string, contact: string | undefined): void {
  const subject = encodeURIComponent(`Report: ${address}`);
  if (contact === undefined) expect(text).not.toContain(subject);
  else expect(text).toContain(`href="${contact}?subject=${subject}"`);
}

/** Sends more than API Gateway accepts: the ingest server stores it, or the edge refuses it if there is no ingest server. */
async function uploadLargely(owner: Account, isRefused: boolean): Promise<void> {
  const bytes = Buffer.alloc(3_200_000, 7);
  const response = await upload(owner, bytes);
  if (isRefused) {
    expect([response.status, JSON.parse(response.text).error.code]).toEqual([413, "blob_too_large"]);
    return;
  }
  expect(response.status).toBe(201);
  expect((await fetchPage(JSON.parse(response.text).url)).bytes.equals(bytes)).toBe(true);
}

function upload({ api }: Account, body: Uint8Array): Promise<ReceivedResponse> {
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "image/png" };
  return fetchPage("/api/blobs?filename=large.png", { method: "POST", headers, body });
}
