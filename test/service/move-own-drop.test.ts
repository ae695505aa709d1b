import { expect, test } from "vitest";
import { routes } from "../../functions/routes.ts";
import { newAccount, newTeam, publish } from "../support/accounts.ts";
import { newOwner, sendForm } from "../support/own-pages.ts";
import { fieldsOf } from "../support/page-forms.ts";
import { teamToken } from "../support/team-sign-in.ts";

const formOf = (slug: string) => routes["move-own-drop"].path.replace("{slug}", slug);
const pageOf = (slug: string) => `/account/drops/${slug}`;

test("an owner moves a drop to a team and back with the form on its page", async () => {
  const ada = await newOwner("mover");
  const { namespace } = await newTeam(ada);
  const { slug } = await publish(ada.api);
  const page = await ada.visitor.open(pageOf(slug));

  const moved = await sendForm(ada.visitor, page, formOf(slug), { to: namespace });

  expect([moved.url.pathname, moved.url.search]).toEqual(["/account", "?done=moved"]);
  expect(moved.response.text).toContain("The page was moved. Its link and readers stay the same.");
  expect((await ada.api.succeed("list-drops")).drops).toEqual([]);
  const team = await teamToken(ada.username, namespace);
  expect((await team.succeed("list-drops")).drops).toMatchObject([{ slug }]);
  // The drop's page now acts for the team, and lets the team's owner move the drop back.
  const back = await sendForm(ada.visitor, await ada.visitor.open(pageOf(slug)), formOf(slug), {
    to: ada.username,
  });
  expect(back.url.search).toBe("?done=moved");
  expect((await ada.api.succeed("list-drops")).drops).toMatchObject([{ slug }]);
});

test("the form offers only teams of which the person is a member, and is absent without a team", async () => {
  const ada = await newOwner("offered");
  const grace = await newAccount("grace");
  const { slug } = await publish(ada.api);
  expect((await ada.visitor.open(pageOf(slug))).response.text).not.toContain(formOf(slug));

  const mine = await newTeam(ada);
  const joined = await newTeam(grace, { editors: [ada.username] });
  const others = await newTeam(grace);

  const { text } = (await ada.visitor.open(pageOf(slug))).response;
  expect(text).toContain(`value="${mine.namespace}"`);
  expect(text).toContain(`value="${joined.namespace}"`);
  expect(text).not.toContain(others.namespace);
});

test("moving a drop to a team that the person has left is refused with the reason", async () => {
  const ada = await newOwner("leaving");
  const grace = await newAccount("grace");
  await newTeam(ada);
  const { namespace } = await newTeam(grace, { editors: [ada.username] });
  const { slug } = await publish(ada.api);
  const page = await ada.visitor.open(pageOf(slug));
  expect(fieldsOf(page, formOf(slug))).toHaveProperty("proof");

  await grace.api.succeed("remove-team-role", { params: { namespace, reader: ada.username } });
  const refused = await sendForm(ada.visitor, page, formOf(slug), { to: namespace });

  expect(refused.response.status).toBe(400);
  expect(refused.response.text).toContain(
    "You can no longer publish for that account. Choose another account.",
  );
  expect((await ada.api.succeed("list-drops")).drops).toMatchObject([{ slug }]);
});
