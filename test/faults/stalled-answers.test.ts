import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pages, s3 } from "../../functions/drops/page-objects.ts";
import { toApiError } from "../../functions/http/response.ts";
import { readIdentityProviderClient, systemsManager } from "../../functions/identity/registration.ts";
import { dynamodb, getItem } from "../../functions/table/table.ts";

/** Factor by which the clients' timeouts are shorter than in production. */
const haste = 50;

/** The part of the SDK's request handler that is used here. */
interface TimedHandler {
  readonly configProvider: Promise<{ readonly socketTimeout?: number }>;
  updateHttpClientConfig(key: "socketTimeout", value: number): void;
}

let server: Server;

beforeAll(async () => {
  // The server begins a response and never completes it.
  server = createServer((_, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("{");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    TABLE_NAME: "table",
    PAGES_BUCKET: "pages",
    IDENTITY_PROVIDER_PARAMETER: "/dropleaf/Dropleaf/identity-provider",
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.for([
  ["the table's", dynamodb, () => getItem({ pk: "a", sk: "b" })],
  ["a page's", s3, () => pages.get("aaaaaaa/page.html")],
  ["a parameter's", systemsManager, readIdentityProviderClient],
] as const)("%s response that stalls is abandoned and reported as unavailable", async ([, client, read]) => {
  const handler = client.config.requestHandler as unknown as TimedHandler;
  const { socketTimeout = 0 } = await handler.configProvider;
  handler.updateHttpClientConfig("socketTimeout", socketTimeout / haste);

  const error = await read().catch((thrown: unknown) => toApiError(thrown));

  expect(error).toMatchObject({ code: "unavailable" });
});
