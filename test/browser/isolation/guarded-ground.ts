import { createHash, randomBytes } from "node:crypto";
import { inject } from "vitest";
import type { DropResponse } from "../../../functions/drops/schemas.ts";
import { auditCommand } from "../../../scripts/operator/audit.ts";
import { transferCommand } from "../../../scripts/operator/transfer/transfer.ts";
import { openGivenService, runCommand } from "../../operator/given-service.ts";
import { type Account, newAccount, pageOf, publish } from "../../support/accounts.ts";
import { baseUrl } from "../../support/http.ts";
import { discover, registerClient, startAuthorization } from "../../support/oauth.ts";
import { ownerAddress, ownerName } from "../../support/owner-address.ts";
import { startSignIn } from "../../support/sign-in.ts";

/** The passcode of the locked drops. */
export const passcode = "open sesame";

/** Ways in which a drop became restricted or locked. */
export const guards = ["restricted", "restricted later", "locked", "locked later", "transferred"] as const;

export type Guard = (typeof guards)[number];

/** A reader, and an owner whose pages attack the drops that the reader can read. */
export interface GuardedGround {
  /** Drops of one owner that the signed-in reader may read. */
  readonly drops: Readonly<Record<Guard, DropResponse>>;
  /** Public drop on the same host. */
  readonly hostile: DropResponse;
  readonly fileUrl: string;
  readonly owner: Account;
  /** Account that the transferred drop now belongs to. */
  readonly newOwner: Account;
  readonly reader: Account;
  /** A drop of the reader's own. */
  readonly readersDrop: DropResponse;
  /** Code of a sign-in that the attacker started. */
  readonly code: string;
  /** Consent page of a client of the attacker. */
  readonly consentUrl: string;
  /** Unique words in the drops, their titles, descriptions and context, and in the file. */
  readonly markers: readonly string[];
}

/** Publishes the hostile page, and the drops in their state before `closeLater`. */
export async function prepareGuardedGround(): Promise<GuardedGround> {
  const [owner, newOwner, reader] = await Promise.all([
    newAccount("hostile"),
    newAccount("heir"),
    newAccount("reader"),
  ]);
  const markers = guards.map(
    (guard) => `marker-${guard.replace(" ", "-")}-${randomBytes(9).toString("hex")}`,
  );
  const restricted = { visibility: "people", readers: [reader.username] };
  const fieldsOf = (index: number) => {
    const marker = markers[index] ?? "";
    const html = `${pageOf(marker)}<iframe srcdoc="<p>${marker}"></iframe>`;
    return { html, title: marker, description: marker, context: marker, feedback: "readers" };
  };
  const hostile = await publish(owner.api, { html: pageOf("a hostile page"), feedback: "readers" });
  const drops = {
    restricted: await publish(owner.api, { ...fieldsOf(0), ...restricted }),
    "restricted later": await publish(owner.api, fieldsOf(1)),
    locked: await publish(owner.api, { ...fieldsOf(2), passcode }),
    "locked later": await publish(owner.api, fieldsOf(3)),
    transferred: await publish(owner.api, { html: pageOf("not the heir's yet"), visibility: "unlisted" }),
  };
  await transfer(newOwner, drops.transferred);
  const params = { slug: drops.transferred.slug };
  await newOwner.api.succeed("edit-drop", { params, body: restricted });
  const { html, ...about } = fieldsOf(4);
  await newOwner.api.succeed("publish-version", { params, body: { html, context: about.context } });
  await newOwner.api.succeed("edit-drop", {
    params,
    body: { title: about.title, description: about.description },
  });
  const inFile = `marker-file-${randomBytes(9).toString("hex")}`;
  const file = await owner.api.succeed("upload-blob", {
    query: { filename: "note.svg", visibility: "people", readers: reader.username },
    text: `<svg xmlns="http://www.w3.org/2000/svg" width="3" height="1"><text>${inFile}</text></svg>`,
    headers: { "content-type": "image/svg+xml" },
  });
  const [{ code }, { url: consentUrl }] = await Promise.all([startSignIn("An attacker"), startConsent()]);
  return {
    drops,
    hostile,
    fileUrl: file.url,
    owner,
    newOwner,
    reader,
    readersDrop: await publish(reader.api, { title: "The reader's own" }),
    code,
    consentUrl: consentUrl.href,
    markers: [...markers, inFile],
  };
}

/** Restricts or locks the drops that were open when the reader saw them. */
export async function closeLater({ owner, reader, drops }: GuardedGround): Promise<void> {
  const visibility = { visibility: "people", readers: [reader.username] };
  await owner.api.succeed("edit-drop", {
    params: { slug: drops["restricted later"].slug },
    body: visibility,
  });
  await owner.api.succeed("set-passcode", {
    params: { slug: drops["locked later"].slug },
    body: { passcode },
  });
}

/** Digest of the attacker's secret, in the form that a sign-in for a drop accepts. */
export const attackersDigest = createHash("sha256").update("attackerchosen0000000").digest("base64url");

async function startConsent() {
  return startAuthorization(await registerClient(await discover()));
}

/** Returns the lines of the audit trail about an account's actions and its possessions. */
export async function linesOf({ userId }: Account): Promise<readonly string[]> {
  const given = await openGivenService(inject("serviceDirectory"));
  return (await runCommand(auditCommand, given, [], { account: userId, json: true })).lines;
}

/** Transfers a drop with the operator's command. Its address stays the same. */
async function transfer(to: Account, { slug, url }: DropResponse): Promise<void> {
  const given = await openGivenService(inject("serviceDirectory"));
  const heirs = await publish(to.api);
  const words = [ownerName(url), ownerName(heirs.url)];
  const { isWell, lines } = await runCommand(transferCommand, given, words, { yes: true, drops: slug });
  if (!isWell) throw new Error(lines.join("\n"));
}

/** Returns the addresses of the owner's host and of the base host. */
export function hostsOf({ hostile }: Pick<GuardedGround, "hostile">) {
  return { owner: ownerAddress(hostile.url), base: baseUrl() };
}
