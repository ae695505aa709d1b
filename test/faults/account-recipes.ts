import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { BlobResponse } from "../../functions/blobs/schemas.ts";
import { blobs, uploads } from "../../functions/blobs/store.ts";
import type { OperationId } from "../../functions/routes.ts";
import { hashSecret } from "../../functions/table/identifiers.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { callOperation } from "../support/operation-caller.ts";
import { givenBlob, givenUpload } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

/** Recipes of operations on accounts, tokens and files. */
export const accountRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "list-tokens": [{ prepare: async ({ token }) => ({ call: { token } }), tokens: 2 }],
  "revoke-token": [
    {
      tokens: 2,
      statusOnceDone: 404,
      prepare: async ({ userId, token, tokens: [, revoked = ""] }) => {
        const other = (await tokens.list(userId)).find(({ hash }) => hash !== hashSecret(token));
        return {
          call: { token, params: { id: other?.id ?? "" } },
          expectVisible: async () => {
            await callOperation("get-me", { token: revoked, expectedStatus: 401 });
          },
        };
      },
    },
  ],
  "list-blobs": [
    {
      prepare: async (world) => {
        await givenBlob(world);
        return { call: { token: world.token } };
      },
    },
  ],
  "get-blob": [
    {
      prepare: async (world) => {
        const { id } = await givenBlob(world);
        return { call: { token: world.token, params: { id } } };
      },
    },
  ],
  "upload-blob": [
    {
      mayRepeat: true,
      prepare: async ({ userId, token }) => ({
        call: { token, query: { filename: "a.txt" }, body: "A sample." },
        expectVisible: ({ text }) => expectFile(userId, (JSON.parse(text) as BlobResponse).id),
      }),
    },
    {
      variant: "for members",
      mayRepeat: true,
      prepare: async ({ userId, token }) => ({
        call: { token, query: { filename: "a.txt", visibility: "members" }, body: "A sample." },
        expectVisible: ({ text }) => expectFile(userId, (JSON.parse(text) as BlobResponse).id),
      }),
    },
    {
      variant: "with a key",
      prepare: async ({ userId, token }) => ({
        call: {
          token,
          query: { filename: "a.txt" },
          headers: { "idempotency-key": randomUUID() },
          body: "A sample.",
        },
        expectVisible: ({ text }) => expectFile(userId, (JSON.parse(text) as BlobResponse).id),
      }),
    },
  ],
  "edit-blob": [
    {
      prepare: async (world) => {
        const { id, ownerId } = await givenBlob(world);
        return {
          call: { token: world.token, params: { id }, body: { visibility: "members" } },
          expectVisible: async () =>
            expect(await blobs.find(ownerId, id, Date.now())).toMatchObject({
              visibility: { kind: "members" },
            }),
        };
      },
    },
  ],
  "delete-blob": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const { id, ownerId } = await givenBlob(world);
        return {
          call: { token: world.token, params: { id } },
          expectVisible: async () => expect(await blobs.find(ownerId, id, Date.now())).toBeUndefined(),
        };
      },
    },
  ],
  "start-upload": [
    {
      mayRepeat: true,
      prepare: async ({ userId, token }) => ({
        call: { token, body: { filename: "a.txt", size_bytes: 9 } },
        expectVisible: async ({ text }) => {
          const { id } = JSON.parse(text) as BlobResponse;
          expect(await uploads.find(userId, id, Date.now())).toMatchObject({ sizeBytes: 9 });
        },
      }),
    },
  ],
  "complete-upload": [
    {
      bestEffort: ["DeleteObject staged file"],
      prepare: async (world) => {
        const { id, ownerId } = await givenUpload(world);
        return {
          call: { token: world.token, params: { id } },
          expectVisible: () => expectFile(ownerId, id),
        };
      },
    },
  ],
};

async function expectFile(ownerId: string, id: string): Promise<void> {
  expect(await blobs.find(ownerId, id, Date.now())).toMatchObject({ id });
}
