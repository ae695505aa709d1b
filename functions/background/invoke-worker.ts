import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";

const lambda = withoutUnusedMiddleware(new LambdaClient({ maxAttempts: 2, requestHandler: timeouts(2_000) }));

/**
 * Invokes a worker asynchronously. Lambda keeps the event until the function has accepted it, even while the function is throttled; see
 * "Invoking a Lambda function asynchronously", AWS Lambda developer guide.
 *
 * @throws Error if Lambda may not have received the event
 */
export async function invokeWorker(functionName: string, event: object): Promise<void> {
  await lambda.send(
    new InvokeCommand({
      FunctionName: functionName,
      InvocationType: "Event",
      Payload: JSON.stringify(event),
    }),
  );
}
