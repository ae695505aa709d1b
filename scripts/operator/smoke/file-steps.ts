import { randomBytes } from "node:crypto";
import type { BlobListResponse, BlobResponse, UploadResponse } from "../../../functions/blobs/schemas.ts";
import { waitUntilGone } from "./page-steps.ts";
import { type SmokeClient, UnexpectedResponse } from "./smoke-client.ts";
import { NotOffered, type Steps } from "./steps.ts";

/** Uploads a file, reads and deletes it. Its name has the run, by which `removeFiles` finds it. */
export async function tryFile(
  client: SmokeClient,
  steps: Steps,
  run: string,
  fileBytes: number,
): Promise<void> {
  const content = randomBytes(fileBytes);
  const blob = await steps.take(`upload a file of ${fileBytes} bytes`, () =>
    upload(client, steps, { filename: filenameOf(run), content }),
  );
  if (blob === undefined) return;
  await steps.take("read the file", async () => {
    if (blob.visibility !== "public" && blob.visibility !== "unlisted")
      throw new NotOffered(`files are for "${blob.visibility}" here, who sign in to read`);
    const { body } = await client.read(blob.url, { status: 200 });
    if (!body.equals(content)) throw new Error(`${body.byteLength} other bytes came back.`);
  });
  const isDeleted = await steps.take("delete the file", () =>
    client.call("DELETE", `/api/blobs/${blob.id}`, { status: 204 }).then(() => true),
  );
  if (!isDeleted) return;
  await steps.take("see the file gone from the edge", () => waitUntilGone(client, steps, [blob.url]));
}

/** Deletes the files of a run that are left: the newest are first in the list. */
export async function removeFiles(client: SmokeClient, run: string): Promise<void> {
  const { blobs } = await client.call<BlobListResponse>("GET", "/api/blobs?pageSize=200", { status: 200 });
  for (const { id } of blobs.filter(({ filename }) => filename === filenameOf(run)))
    await client.call("DELETE", `/api/blobs/${id}`, { status: 204 });
}

function filenameOf(run: string): string {
  return `smoke-test-${run}.bin`;
}

interface NewFile {
  readonly filename: string;
  readonly content: Buffer;
}

/** In one request or, where the edge says that one takes less (the setting `ingest`), in steps. */
async function upload(client: SmokeClient, steps: Steps, file: NewFile): Promise<BlobResponse> {
  try {
    return await client.call<BlobResponse>("POST", `/api/blobs?filename=${file.filename}`, {
      status: 201,
      headers: { "content-type": "application/octet-stream" },
      body: file.content,
    });
  } catch (error) {
    if (!(error instanceof UnexpectedResponse) || error.status !== 413) throw error;
    steps.report(`one request takes ${error.details.bytes_max} bytes here: the file goes in steps`);
    return uploadInSteps(client, file);
  }
}

async function uploadInSteps(client: SmokeClient, { filename, content }: NewFile): Promise<BlobResponse> {
  const body = JSON.stringify({ filename, size_bytes: content.byteLength });
  const { id, url, method, headers } = await client.call<UploadResponse>("POST", "/api/blobs/uploads", {
    status: 201,
    body,
  });
  await client.send(url, { status: 200, method, headers, body: content });
  return client.call<BlobResponse>("POST", `/api/blobs/uploads/${id}/complete`, { status: 201 });
}
