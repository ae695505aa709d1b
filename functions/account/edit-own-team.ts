import { ApiError } from "../core/errors.ts";
import { validate } from "../http/validation.ts";
import type { ReaderRule } from "../policies/access.ts";
import { editTeamBody, setTeamRoleBody } from "../teams/schemas.ts";
import { teams } from "../teams/store.ts";
import { requireRule } from "../teams/team-rule.ts";
import { accountText } from "./account-text.ts";
import type { Done } from "./list-page.ts";
import { ownTeamPage } from "./own-team.ts";
import { type OwnerInput, ownerForm } from "./owner-form.ts";
import type { FormFields } from "./problem.ts";
import { editOwnTeamRoute } from "./team-rows.ts";

/** A change to a team that a form requests. */
type TeamChange =
  | { readonly kind: "role"; readonly rule: ReaderRule; readonly role: "owner" | "editor" }
  | { readonly kind: "removal"; readonly rule: ReaderRule }
  | { readonly kind: "grouping"; readonly groupBy: string | undefined };

/** POST /account/team: changes a team's members and their roles, or the metadata key that groups the drops on the team's page. */
export const editOwnTeam = ownerForm(editOwnTeamRoute, {
  pageOf: () => ({ page: "team" }),
  read: readChange,
  change: async (input, asked) => ({ path: `/account/team?done=${await make(input, asked)}` }),
  showAgain: (input, fields, error) => {
    // Shows the form again only to a person who still publishes for the team.
    if (input.owner.role === undefined) return Promise.reject(error);
    return ownTeamPage(input, { sent: { fields, message: error.message } });
  },
});

function readChange(fields: FormFields): TeamChange {
  switch (fields.get("change")) {
    case "role":
      return {
        kind: "role",
        rule: readRule(fields),
        ...validate(setTeamRoleBody, { role: fields.get("role") }),
      };
    case "remove":
      return { kind: "removal", rule: readRule(fields) };
    case "group":
      return { kind: "grouping", groupBy: readGroupBy(fields) };
    default:
      throw new ApiError("invalid_arg", { message: accountText.problems.incomplete });
  }
}

function readRule(fields: FormFields): ReaderRule {
  const text = fields.get("reader")?.trim() ?? "";
  try {
    return requireRule(text);
  } catch {
    // Replaces the API's message, which describes JSON fields.
    throw new ApiError("invalid_arg", { message: accountText.problems.reader(text) });
  }
}

function readGroupBy(fields: FormFields): string | undefined {
  const text = fields.get("group_by")?.trim() ?? "";
  try {
    return validate(editTeamBody, { group_by: text || null }).group_by ?? undefined;
  } catch {
    throw new ApiError("invalid_arg", {
      message: `“${text}” is not a tag. Use up to 64 lower-case letters and digits, with dots, hyphens or underscores between them.`,
    });
  }
}

async function make(
  { owner, signedIn, act }: Pick<OwnerInput<typeof editOwnTeamRoute>, "act" | "owner" | "signedIn">,
  asked: TeamChange,
): Promise<Done> {
  const { userId } = owner;
  const { reader } = signedIn;
  switch (asked.kind) {
    case "role":
      await teams.setRole(userId, asked.rule, asked.role, act, reader);
      return "person-saved";
    case "removal":
      await teams.setRole(userId, asked.rule, undefined, act, reader).catch((error) => {
        // The entry was already removed, for example by a double click.
        if (!(error instanceof ApiError) || error.code !== "not_found") throw error;
      });
      return "person-removed";
    case "grouping":
      await teams.setGroupBy(userId, asked.groupBy, act, reader);
      return "grouped";
  }
}
