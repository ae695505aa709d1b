import { teams } from "../teams/store.ts";
import { requireRule } from "../teams/team-rule.ts";
import { renderAccountsPage } from "./accounts-page.tsx";
import { administratorForm } from "./administrator.ts";
import { listAccounts } from "./directory.ts";
import { createAdminTeamRoute } from "./rows.ts";

/** POST /admin/teams: creates a team with its first owner. */
export const createAdminTeam = administratorForm(createAdminTeamRoute, {
  destinationOf: () => "/admin",
  change: async ({ fields, randomInt, auditAs }) => {
    const namespace = fields.get("namespace")?.trim() ?? "";
    const owner = { rule: requireRule(fields.get("owner")?.trim() ?? ""), role: "owner" } as const;
    await teams.create({ namespace, people: [owner] }, randomInt, auditAs("create-team"));
    return `/admin/accounts/${namespace}?done=team-created`;
  },
  showAgain: async (input, problem) => {
    const part = await listAccounts("", "");
    return (nonce) =>
      renderAccountsPage({ ...input, ...part, query: "", problem, sent: input.fields, nonce });
  },
});
