import { createHash } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { durationMs } from "../support/patience.ts";

let server: Server;
let lines: () => Record<string, unknown>[];

beforeEach(() => {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  lines = () => write.mock.calls.map(([line]) => JSON.parse(String(line)));
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    VIEWS_QUEUE_URL: "https://sqs.us-east-1.amazonaws.com/000000000000/Views",
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

/** Starts a queue service with these responses and returns the function that sends views to it. */
async function givenQueue(answer: RequestListener) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.env.AWS_ENDPOINT_URL_SQS = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.resetModules();
  const { countView } = await import("../../functions/drops/view-queue.ts");
  return countView;
}

test("a view is sent to the queue", async () => {
  const sent: { readonly MessageBody: string }[] = [];
  const countView = await givenQueue(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body);
    sent.push(message);
    const MD5OfMessageBody = createHash("md5").update(message.MessageBody).digest("hex");
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify({ MessageId: "1", MD5OfMessageBody }));
  });

  // On a busy machine the first calls may take longer than the timeout for a view.
  await expect
    .poll(async () => {
      const before = lines().length;
      await countView("Owner00000000001", "abcdefg")();
      return lines().slice(before);
    })
    .toEqual([]);

  expect(sent.at(-1)).toEqual({
    QueueUrl: "https://sqs.us-east-1.amazonaws.com/000000000000/Views",
    MessageBody: '{"owner_id":"Owner00000000001","slug":"abcdefg"}',
  });
});

test("a queue that does not respond delays a view by less than a second", { tags: "slow" }, async () => {
  const countView = await givenQueue(() => {});

  await countView("Owner00000000001", "abcdefg")();

  expect(lines()).toMatchObject([{ level: "warn", event: "view-not-counted" }]);
  await expect.poll(() => durationMs(countView("Owner00000000001", "abcdefg"))).toBeLessThan(1000);
});

test("a queue that refuses a view does not affect the reader, and the message is not logged", async () => {
  const countView = await givenQueue((_, response) => {
    const type = "com.amazonaws.sqs#AccessDeniedException";
    response.writeHead(403).end(JSON.stringify({ __type: type, message: "abcdefg" }));
  });

  await countView("Owner00000000001", "abcdefg")();

  expect(lines()).toMatchObject([{ event: "view-not-counted" }]);
  expect(JSON.stringify(lines())).not.toMatch(/abcdefg|Owner0/);
});
