import { decideAccess, readDecision } from "../account/access-decision.ts";
import { ApiError } from "../core/errors.ts";
import { publicDrops } from "../drops/public-drops.ts";
import { type CompletedAction, administrationText as words } from "./administration-text.ts";
import { type AdministratorFormInput, administratorForm, requireTypedName } from "./administrator.ts";
import { readDropFacts } from "./drop-facts.ts";
import { renderAdminDropPage } from "./drop-page.tsx";
import { findHolder, setHold } from "./legal-holds.ts";
import { startLongAction } from "./long-action.ts";
import { changeAdminDropRoute } from "./rows.ts";

type Input = AdministratorFormInput<typeof changeAdminDropRoute>;

/** POST /admin/drops/{slug}: performs an administrator's action on a drop, or decides on an access request. */
export const changeAdminDrop = administratorForm(changeAdminDropRoute, {
  destinationOf: ({ path }) => `/admin/drops/${path.slug}`,
  change: async (input) => `/admin/drops/${input.path.slug}?done=${await change(input)}`,
  showAgain: async (input, problem) => {
    const facts = await readDropFacts(input);
    return (nonce) => renderAdminDropPage({ ...input, ...facts, problem, nonce });
  },
});

async function change({ path: { slug }, fields, auditAs }: Input): Promise<CompletedAction> {
  const ownerId = (await publicDrops.findPointer(slug))?.ownerId;
  if (ownerId === undefined) throw new ApiError("not_found");
  switch (fields.get("change")) {
    case "add-hold":
      await setHold({ ownerId, slug }, true, auditAs("add-hold"));
      return "held";
    case "remove-hold":
      requireTypedName(fields, slug);
      await setHold({ ownerId, slug }, false, auditAs("remove-hold"));
      return "released";
    case "takedown":
      if ((await findHolder(ownerId, slug)) !== undefined)
        throw new ApiError("forbidden", { message: words.heldTakedown });
      requireTypedName(fields, slug);
      await startLongAction({ kind: "takedown", target: { kind: "page", slug } }, auditAs("takedown"));
      return "taking-down";
    case null:
      return decideAccess({ ownerId, slug }, readDecision(fields), auditAs("decide-access-request"));
    default:
      throw new ApiError("invalid_arg");
  }
}
