import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { withoutNeedlessMiddleware } from "../platform/sdk-middleware.ts";
import { timeOuts } from "../platform/time-outs.ts";
import type { RenderRequest } from "./render-request.ts";

/** Nobody waits long for what can be asked for again. */
const lambda = withoutNeedlessMiddleware(
  new LambdaClient({ maxAttempts: 2, requestHandler: timeOuts(2_000) }),
);

/**
 * Has `render-page` invoked with these versions: Lambda keeps the event until the function has taken it. AWS Lambda developer guide,
 * "Invoking a Lambda function asynchronously".
 *
 * @throws Error where Lambda may not have it
 */
export async function invokeRenderPage(request: RenderRequest): Promise<void> {
  await lambda.send(
    new InvokeCommand({
      FunctionName: readEnvironment(environmentNames.renderPageFunction),
      InvocationType: "Event",
      Payload: JSON.stringify(request),
    }),
  );
}
