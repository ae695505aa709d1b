import { accountField } from "../html/account-choice.tsx";
import { pageOperation } from "../http/page-operation.ts";
import { parseForm } from "../http/request.ts";
import { findAccountReader } from "../people/find-reader.ts";
import { findChosenTeam } from "./chosen-team.ts";
import { confirmed } from "./confirmation.ts";
import { notPendingError, requireContinued, requirePending } from "./cookies.ts";
import { deviceCodes, lastSetAtOf } from "./device-codes.ts";
import { chooseAccountRoute } from "./rows.ts";
import { membershipEnded } from "./token-claim.ts";
import { requireTokenQuota } from "./token-quota.ts";

/** POST /login/account: verifies the device code for the account that the person chose: the person's own or a team's. */
export const chooseAccount = pageOperation(chooseAccountRoute, async (input) => {
  const { body, request, nowMs, act } = input;
  const form = parseForm(body);
  const code = form.get("code") ?? "";
  await requireContinued(request, code, nowMs);
  const pending = await requirePending(code, nowMs);
  const personId = pending.state === "pending" ? pending.personId : undefined;
  // A person who was deactivated after the start of the sign-in is refused.
  const person = personId === undefined ? undefined : await findAccountReader(personId, lastSetAtOf(pending));
  if (personId === undefined || person === undefined) throw notPendingError();
  if (person.isBarred || !person.isMember) throw membershipEnded();
  const team = await findChosenTeam(person, form.get(accountField));
  const verified = team === undefined ? { userId: personId } : { userId: team.userId, personId };
  await requireTokenQuota(verified.userId, nowMs);
  if ((await deviceCodes.verify(code, verified, act)) !== "verified") throw notPendingError();
  const namespace = team?.namespace ?? person.namespace ?? "";
  return confirmed(input, pending, { ...verified, namespace, username: person.identity.username });
});
