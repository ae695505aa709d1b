import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseQuery, readSignature, sha256Hex, verifySignature } from "@dropleaf/local-cloud/aws/signature";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { fetchStackOutputs } from "../../scripts/operator/service.ts";

/** Responses in the shape of the AWS CloudFormation API reference, "DescribeStacks" and "Common Error Types". */
const responses: Readonly<Record<string, { status: number; xml: string }>> = {
  Dropleaf: {
    status: 200,
    xml: `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
      <DescribeStacksResult><Stacks><member>
        <StackName>Dropleaf</StackName>
        <Outputs>
          <member><Description>Where</Description><OutputKey>BaseUrl</OutputKey><OutputValue>https://drops.example.com?a=1&amp;b=2</OutputValue></member>
          <member><OutputKey>TableName</OutputKey><OutputValue>Dropleaf-Table</OutputValue></member>
        </Outputs>
      </member></Stacks></DescribeStacksResult>
    </DescribeStacksResponse>`,
  },
  Nothing: {
    status: 400,
    xml: `<ErrorResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><Error><Type>Sender</Type>
      <Code>ValidationError</Code><Message>Stack with id Nothing does not exist</Message></Error></ErrorResponse>`,
  },
};

let server: Server;

/** Responds to DescribeStacks if the request's signature is valid, and throws otherwise. */
beforeAll(async () => {
  server = createServer(async (message, response) => {
    let body = "";
    for await (const chunk of message) body += chunk;
    const parts = {
      method: message.method ?? "",
      path: "/",
      query: parseQuery(""),
      headers: message.headers,
    };
    const claim = readSignature(parts);
    if (!claim) throw new Error("The request is not signed.");
    await verifySignature(claim, parts, sha256Hex(Buffer.from(body)), "secret", Date.now());
    const fields = new URLSearchParams(body);
    const answer =
      fields.get("Action") === "DescribeStacks" ? responses[fields.get("StackName") ?? ""] : undefined;
    response.writeHead(answer?.status ?? 500).end(claim.service === "cloudformation" ? answer?.xml : "");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
});

afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

test("the outputs of a stack are requested with a signature and parsed", async () => {
  expect(await fetchStackOutputs("Dropleaf")).toEqual({
    BaseUrl: "https://drops.example.com?a=1&b=2",
    TableName: "Dropleaf-Table",
  });
});

test("an error of CloudFormation is reported in its words", async () => {
  await expect(fetchStackOutputs("Nothing")).rejects.toThrow(
    "CloudFormation did not return the outputs of the stack Nothing: Stack with id Nothing does not exist",
  );
});
