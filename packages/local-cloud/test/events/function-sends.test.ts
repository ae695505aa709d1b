import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { createLambdaService } from "../../src/lambda/lambda-service.ts";
import { loadTemplate } from "../../src/template.ts";
import { runEndpoint } from "../aws/running-endpoint.ts";
import { lambdaResources, writeStack } from "../fixture-stack.ts";

const sdk = pathToFileURL(createRequire(import.meta.url).resolve("@aws-sdk/client-sqs"));

test("a function sends to the queue whose URL is in its environment only if its role allows it", async () => {
  const stack = writeStack(
    {
      ...lambdaResources("F", {
        Timeout: 20,
        Environment: { Variables: { VIEWS: { Ref: "Views" }, OTHER: { Ref: "Other" } } },
      }),
      Policy: {
        Type: "AWS::IAM::Policy",
        Properties: {
          Roles: [{ Ref: "FRole" }],
          PolicyDocument: {
            Statement: [
              { Effect: "Allow", Action: "sqs:SendMessage", Resource: { "Fn::GetAtt": ["Views", "Arn"] } },
            ],
          },
        },
      },
      Views: { Type: "AWS::SQS::Queue" },
      Other: { Type: "AWS::SQS::Queue" },
    },
    {
      F: `
        import sdk from ${JSON.stringify(sdk.href)};
        const client = new sdk.SQSClient({});
        const send = (QueueUrl) => client.send(new sdk.SendMessageCommand({ QueueUrl, MessageBody: "viewed" }));
        export const handler = async () => {
          await send(process.env.VIEWS);
          return send(process.env.OTHER).catch((error) => error.name);
        };`,
    },
  );
  const template = loadTemplate(stack.directory);
  const running = await runEndpoint(template);
  const { endpoint, logLines } = running;
  const lambda = createLambdaService({
    template,
    readSecret: endpoint.readSecret,
    awsEndpointUrl: endpoint.url,
    credentialsFor: endpoint.credentialsFor,
    log: (line) => logLines.push(line),
  });

  const { payload } = await lambda.invoke("F", "{}");

  expect(JSON.parse(payload)).toBe("AccessDeniedException");
  expect(endpoint.queues.get("Views")?.receive({ countMax: 10 })).toMatchObject([{ body: "viewed" }]);
  expect(logLines.filter((line) => line.includes("differs from SQSClient"))).toEqual([]);
  await lambda.stop();
  await running.remove();
  stack.remove();
});
