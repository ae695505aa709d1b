import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { accessRequests } from "../../functions/access-requests/store.ts";
import { giveValue } from "../../functions/account/access-requests-part.tsx";
import { toFormRevision } from "../../functions/account/form-revision.ts";
import { answers } from "../../functions/answers/store.ts";
import { blobs } from "../../functions/blobs/store.ts";
import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import { drops } from "../../functions/drops/store.ts";
import { trash } from "../../functions/drops/trash-store.ts";
import { formProofs, proofField } from "../../functions/http/form-proof.ts";
import { entriesOf } from "../../functions/library/library-index.ts";
import type { OperationId } from "../../functions/routes.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { queryAll } from "../../functions/table/table.ts";
import { transact, writeItems } from "../../functions/table/table-writes.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { restrictDrop, storeAccessRequest } from "../support/given-access-request.ts";
import { givenAct } from "../support/given-act.ts";
import { callOperation, type OperationCall } from "../support/operation-caller.ts";
import { accessFormRecipes } from "./access-recipes.ts";
import { givenReader, type Reader } from "./given-reader.ts";
import { givenBlob, givenDrop, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";
import { givenTeam } from "./team-recipes.ts";

/** Recipes of an owner's account pages, in a browser where the owner is signed in. */
export const accountPageRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "show-library": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        const { browser } = await givenOwner(world);
        await nameReader(drop, world.namespace);
        return {
          call: { browser },
          expectVisible: async ({ text }) => expect(text).toContain(`/d/${drop.slug}`),
        };
      },
    },
  ],
  "show-account": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        const { browser } = await givenOwner(world);
        return {
          call: { browser },
          expectVisible: async ({ text }) => expect(text).toContain(`/account/drops/${drop.slug}`),
        };
      },
    },
  ],
  "show-own-drop": [
    {
      prepare: async (world) => {
        const { slug } = await givenDrop(world);
        return { call: { browser: (await givenOwner(world)).browser, params: { slug } } };
      },
    },
  ],
  "edit-own-drop": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        return {
          call: await givenForm(world, drop, "", { title: "Renamed" }),
          expectVisible: async () => expect((await foundDrop(drop)).title).toBe("Renamed"),
        };
      },
    },
  ],
  "share-own-drop": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        const people = { visibility: "people", readers: "ada\n@example.com" };
        const fields = { ...people, lock: "set", passcode: "open sesame" };
        return {
          call: await givenForm(world, drop, "/share", fields),
          expectVisible: async () => {
            const { gate, visibility } = await foundDrop(drop);
            expect([gate.kind, visibility.kind]).toEqual(["locked", "people"]);
          },
        };
      },
    },
    {
      variant: "unlock",
      prepare: async (world) => {
        const drop = await givenDrop(world, { isLocked: true });
        return {
          call: await givenForm(world, drop, "/share", { visibility: "public", lock: "remove" }),
          expectVisible: async () => expect((await foundDrop(drop)).gate.kind).toBe("open"),
        };
      },
    },
  ],
  "move-own-drop": [
    {
      // After the move the drop belongs to the team, so the form's proof is no longer valid.
      statusOnceDone: 403,
      prepare: async (world) => {
        const drop = await givenDrop(world);
        const { userId, namespace } = await givenTeam(world);
        return {
          call: await givenForm(world, drop, "/move", { to: namespace }),
          expectVisible: async () => expect((await publicDrops.findBySlug(drop.slug))?.ownerId).toBe(userId),
        };
      },
    },
  ],
  "delete-own-drop": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        return {
          call: await givenForm(world, drop, "/delete", {}),
          expectVisible: async () => expect(await drops.find(drop.ownerId, drop.slug)).toBeUndefined(),
        };
      },
    },
  ],
  "delete-own-version": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world, { versions: 2 });
        return {
          call: await givenForm(world, drop, "/versions", { version: "2" }),
          expectVisible: async () =>
            expect((await publicDrops.listVersions(drop.slug)).map(({ version }) => version)).toEqual([1]),
        };
      },
    },
  ],
  "restore-own-version": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world, { versions: 2 });
        return {
          call: await givenForm(world, drop, "/restore", { version: "1" }),
          expectVisible: async () => {
            const [newest, , first] = await publicDrops.listVersions(drop.slug);
            expect([newest?.version, newest?.sha256]).toEqual([3, first?.sha256]);
          },
        };
      },
    },
  ],
  "show-own-files": [
    {
      prepare: async (world) => {
        const { id } = await givenBlob(world);
        return {
          call: { browser: (await givenOwner(world)).browser },
          expectVisible: async ({ text }) => expect(text).toContain(`/account/files/${id}/delete`),
        };
      },
    },
  ],
  "upload-own-file": [
    {
      prepare: async (world) => {
        const { browser, headers, proof } = await givenFormAt(world, "/account/files");
        const body = new FormData();
        for (const [name, value] of Object.entries({ ...proof, once: randomUUID(), visibility: "unlisted" }))
          body.append(name, value);
        body.append("file", new Blob(["given"], { type: "text/plain" }), "Given file.txt");
        const sent = new Request("http://localhost", { method: "POST", body });
        const type = sent.headers.get("content-type") ?? "";
        return {
          call: { browser, headers: { ...headers, "content-type": type }, body: await sent.text() },
          expectVisible: async () => {
            const files = await queryAll(ranges.blobs(world.userId));
            expect(files.map(({ filename }) => filename)).toEqual(["Given file.txt"]);
          },
        };
      },
    },
  ],
  "edit-own-file": [
    {
      prepare: async (world) => {
        const { id } = await givenBlob(world);
        const { proof, ...call } = await givenFormAt(world, `/account/files/${id}`);
        return {
          call: { ...call, params: { id }, body: bodyOf({ ...proof, visibility: "unlisted" }) },
          expectVisible: async () =>
            expect((await blobs.find(world.userId, id, Date.now()))?.visibility).toEqual({
              kind: "unlisted",
            }),
        };
      },
    },
  ],
  "delete-own-file": [
    {
      prepare: async (world) => {
        const { id } = await givenBlob(world);
        const { proof, ...call } = await givenFormAt(world, `/account/files/${id}/delete`);
        return {
          call: { ...call, params: { id }, body: bodyOf({ ...proof, confirm: "yes" }) },
          expectVisible: async () => expect(await blobs.find(world.userId, id, Date.now())).toBeUndefined(),
        };
      },
    },
  ],
  "show-own-answers": [
    {
      prepare: async (world) => {
        const { slug } = await givenAnswer(world);
        return {
          call: { browser: (await givenOwner(world)).browser, params: { slug } },
          expectVisible: async ({ text }) => expect(text).toContain("Tuesday"),
        };
      },
    },
  ],
  "export-own-answers": [
    {
      prepare: async (world) => {
        const { slug } = await givenAnswer(world);
        return {
          call: { browser: (await givenOwner(world)).browser, params: { slug }, query: { form: "vote" } },
          expectVisible: async ({ text }) => expect(text).toContain("Tuesday"),
        };
      },
    },
  ],
  "request-access": accessFormRecipes,
  "decide-access-request": [
    {
      prepare: async (world) => {
        const drop = await givenDrop(world);
        await restrictDrop(drop);
        const give = giveValue(await storeAccessRequest(drop), "grace@example.com");
        return {
          call: await givenForm(world, drop, "/access", { give }),
          expectVisible: async () => {
            const { visibility } = await foundDrop(drop);
            expect(visibility).toMatchObject({ readers: [{}, { email: "grace@example.com" }] });
          },
        };
      },
    },
    {
      variant: "dismiss",
      prepare: async (world) => {
        const drop = await givenDrop(world);
        await restrictDrop(drop);
        const dismiss = await storeAccessRequest(drop);
        return {
          call: await givenForm(world, drop, "/access", { dismiss }),
          expectVisible: async () =>
            expect(await accessRequests.listOf(await foundDrop(drop), Date.now())).toEqual([]),
        };
      },
    },
  ],
  "delete-own-answers": [
    {
      prepare: async (world) => {
        const { slug } = await givenAnswer(world);
        const { proof, ...call } = await givenFormAt(world, `/account/drops/${slug}/answers`);
        return {
          call: { ...call, params: { slug }, body: bodyOf({ ...proof, number: "1" }) },
          expectVisible: async () => expect(await answers.find(slug, 1, Date.now())).toBeUndefined(),
        };
      },
    },
    {
      variant: "all of a form",
      prepare: async (world) => {
        const { slug } = await givenAnswer(world);
        const { proof, ...call } = await givenFormAt(world, `/account/drops/${slug}/answers`);
        const body = bodyOf({ ...proof, form: "vote", count: "1", confirm: "yes" });
        return {
          call: { ...call, params: { slug }, body },
          expectVisible: async () => expect(await answers.find(slug, 1, Date.now())).toBeUndefined(),
        };
      },
    },
  ],
  "show-own-trash": [
    {
      prepare: async (world) => {
        const { slug } = await givenTrashedDrop(world);
        return {
          call: { browser: (await givenOwner(world)).browser },
          expectVisible: async ({ text }) => expect(text).toContain(`/account/trash/${slug}/undelete`),
        };
      },
    },
  ],
  "undelete-own-drop": [
    {
      prepare: async (world) => {
        const drop = await givenTrashedDrop(world);
        const { proof, ...call } = await givenFormAt(world, `/account/trash/${drop.slug}/undelete`);
        return {
          call: { ...call, params: { slug: drop.slug }, body: bodyOf(proof) },
          expectVisible: async () => expect((await foundDrop(drop)).title).toBe("Given"),
        };
      },
    },
  ],
  "purge-own-drop": [
    {
      prepare: async (world) => {
        const { ownerId, slug } = await givenTrashedDrop(world);
        const { proof, ...call } = await givenFormAt(world, `/account/trash/${slug}/purge`);
        return {
          call: { ...call, params: { slug }, body: bodyOf({ ...proof, confirm: "yes" }) },
          expectVisible: async () => expect(await trash.find(ownerId, slug)).toBeUndefined(),
        };
      },
    },
  ],
  "show-own-tokens": [
    { prepare: async (world) => ({ call: { browser: (await givenOwner(world)).browser } }) },
  ],
  "revoke-own-token": [
    {
      prepare: async (world) => {
        const [token] = await tokens.list(world.userId);
        const id = token?.id ?? "";
        const { proof, ...call } = await givenFormAt(world, `/account/tokens/${id}/revoke`);
        return {
          call: { ...call, params: { id }, body: bodyOf(proof) },
          expectVisible: async () => {
            await callOperation("get-me", { token: world.token, expectedStatus: 401 });
          },
        };
      },
    },
  ],
};

/** Submits a form on a drop's page, with the fields that the owner's browser sends. */
async function givenForm(
  world: World,
  { ownerId, slug }: Drop,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<OperationCall> {
  const { proof, ...call } = await givenFormAt(world, `/account/drops/${slug}${path}`);
  const seen = JSON.stringify(toFormRevision(await foundDrop({ ownerId, slug })));
  return { ...call, params: { slug }, body: bodyOf({ ...proof, seen, ...fields }) };
}

/** Returns the owner's browser and the proof of a form that is sent to this path. */
async function givenFormAt(world: World, path: string) {
  const { browser, reference } = await givenOwner(world);
  const headers = { origin: new URL(process.env.BASE_URL ?? "").origin };
  return { browser, headers, proof: { [proofField]: (await formProofs(reference))(path) } };
}

function bodyOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString();
}

/** Creates a drop with an answer to a form. */
async function givenAnswer(world: World): Promise<Drop> {
  const drop = await givenDrop(world);
  const author = { kind: "stranger" } as const;
  const answer = { form: "vote", fields: [["day", "Tuesday"]], version: 1, author, isMany: false } as const;
  await answers.send(drop, { ...answer, atMs: Date.now() }, givenAct());
  return drop;
}

async function givenTrashedDrop(world: World): Promise<Drop> {
  const drop = await givenDrop(world);
  await trash.put(drop.ownerId, drop.slug, givenAct(), { reason: "deleted" });
  return drop;
}

async function foundDrop({ ownerId, slug }: Pick<Drop, "ownerId" | "slug">): Promise<Drop> {
  const found = await drops.find(ownerId, slug);
  if (found === undefined) throw new Error(`The drop ${slug} is not there.`);
  return found;
}

/**
 * Signs in the owner of a world, whose identity's item names the account. The windows of the write limit are open, like those
 * of a world's tokens.
 */
export async function givenOwner(world: World): Promise<Reader> {
  const { userId, partitions, startedAtMs: nowMs } = world;
  const identity = keys.identity("https://id.example.com", userId);
  const windows = { minuteStartedAtMs: nowMs, minuteCount: 1, dayStartedAtMs: nowMs, dayCount: 1 };
  await transact([
    { put: { ...identity, userId, createdAtMs: nowMs } },
    { put: { ...keys.rateWindow("browser", userId), ...windows } },
  ]);
  partitions.add(identity.pk);
  return givenReader(world);
}

/** Restricts a drop to a reader, in the drop and in the library's index. */
export async function nameReader(drop: Drop, username: string): Promise<void> {
  const visibility = { kind: "people", readers: [{ kind: "username", username }] } as const;
  await drops.change(drop, givenAct(), (current) => ({
    drop: { ...current, visibility, revision: current.revision + 1 },
  }));
  await writeItems({ puts: entriesOf({ ...drop, visibility }).map((key) => ({ ...key })), deletes: [] });
}
