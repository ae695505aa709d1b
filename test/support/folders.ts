import { expect } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import type { ApiClient } from "./client.ts";
import { fetchPage, type ReceivedResponse } from "./http.ts";

/** Files of a folder by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Publishes a folder as a zip archive: a new drop, or a new version of a drop. */
export async function publishFolder(
  api: ApiClient,
  files: Files,
  { slug, ...query }: Readonly<Record<string, string>> = {},
): Promise<DropResponse> {
  const response = await sendFolder(api, files, { slug, ...query });
  expect([response.status, response.text]).toEqual([slug === undefined ? 201 : 200, expect.any(String)]);
  return JSON.parse(response.text);
}

/** Sends a folder as a zip archive and accepts any response. */
export function sendFolder(
  api: ApiClient,
  files: Files,
  { slug, ...query }: Readonly<Record<string, string | undefined>> = {},
): Promise<ReceivedResponse> {
  const sent = Object.entries({ ...(slug === undefined ? { title: "A folder" } : {}), ...query });
  const parameters = new URLSearchParams(sent as [string, string][]);
  return fetchPage(`/api/drops${slug === undefined ? "" : `/${slug}`}?${parameters}`, {
    method: slug === undefined ? "POST" : "PUT",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/zip" },
    body: writeArchive(
      Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text as Uint8Array) })),
    ),
  });
}
