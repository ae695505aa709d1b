// @module-tag slow

import { afterAll, beforeAll, expect, test } from "vitest";
import { type Account, publish } from "../support/accounts.ts";
import { expectErrorPage } from "../support/expect-error.ts";
import { useService } from "../support/http.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { type RunningService, startService } from "../support/running-service.ts";
import { elementsOf, textOf, type Visitor } from "../support/visitor.ts";

let service: RunningService;
let owner: Account & { readonly visitor: Visitor };

beforeAll(async () => {
  service = await startService({ fileSettings: { trashDays: 0 } });
  useService(service);
  owner = await newOwner("no-trash");
});

afterAll(() => service.stop());

test("without a trash, a page is deleted only after its slug is typed", async () => {
  const { visitor } = owner;
  const { slug } = await publish(owner.api);
  const path = `/account/drops/${slug}`;
  const page = await visitor.open(path);

  for (const confirm of ["", "yes"]) {
    const refused = await sendForm(visitor, page, `${path}/delete`, { confirm });

    expectErrorPage(refused.response, 400);
    const problems = elementsOf(refused.response, "p").filter(({ attribs }) => attribs.role === "alert");
    expect(problems.map(textOf)).toEqual([`To delete the page, type ${slug}.`]);
  }
  await owner.api.succeed("get-drop", { params: { slug } });

  const deleted = await sendForm(visitor, page, `${path}/delete`, { confirm: ` ${slug} ` });

  expect(deleted.url.search).toBe("?done=deleted");
  expectErrorPage((await visitor.open(path)).response, 404);
});
