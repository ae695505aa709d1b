import { createRestApis } from "../src/api-gateway/rest-api.ts";
import { startHttpServer } from "../src/http-server.ts";
import { createLambdaService } from "../src/lambda/lambda-service.ts";
import { createMetricStore } from "../src/metrics/metric-store.ts";
import { loadTemplate } from "../src/template.ts";
import type { RawResource } from "../src/template-intrinsics.ts";
import { type ApiPaths, lambdaResources, restApiResources, writeStack } from "./fixture-stack.ts";
import { type Sent, send as sendTo } from "./http-client.ts";

/** The host of the fixture's REST API. */
export const apiHost = "api.execute-api.us-east-1.amazonaws.com";

/** The event of a REST API's proxy integration, with the fields that the tests check. */
interface ProxyEvent {
  readonly resource: string;
  readonly headers: Record<string, string>;
  readonly multiValueHeaders: Record<string, string[]>;
  readonly queryStringParameters: Record<string, string>;
}

const echo = "export const handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });";

/** The bundle of a function `Echo` that responds with its event. */
export const echoBundle: Readonly<Record<string, string>> = { Echo: echo };

export type RunningApi = Awaited<ReturnType<typeof startApi>>;

/** Serves the REST API of a stack. `send` sends a request to the stage `live`. */
export async function startApi(
  paths: ApiPaths,
  bundles: Readonly<Record<string, string>> = echoBundle,
  body: Record<string, unknown> = { "x-amazon-apigateway-binary-media-types": ["*/*"] },
  resources: Record<string, RawResource> = {},
  { concurrentExecutions = 1_000, requestsPerSecond = 10_000, secret = "" } = {},
) {
  const functions = Object.keys(bundles).map((name) => lambdaResources(name, { Timeout: 5 }));
  const api = restApiResources(paths, body);
  const stack = writeStack(Object.assign({}, ...functions, api, resources), bundles);
  const logged: string[] = [];
  const log = (line: string) => logged.push(line);
  const metrics = createMetricStore(() => 0);
  try {
    const template = loadTemplate(stack.directory);
    const lambda = createLambdaService({
      metrics,
      template,
      readSecret: () => secret,
      awsEndpointUrl: "http://127.0.0.1:1",
      credentialsFor: () => ({ accessKeyId: "k", secretAccessKey: "s" }),
      concurrentExecutions,
      log,
    });
    const [restApi] = createRestApis({
      template,
      lambda,
      log,
      readSecret: () => secret,
      requestsPerSecond,
      metrics,
    });
    if (restApi === undefined) throw new Error("the fixture has no REST API");
    const server = await startHttpServer({
      port: 0,
      handle: restApi.handle,
      onError: (error) => log(String(error)),
    });
    const send = (path: string, sent: Sent = {}) =>
      sendTo(server.port, `/live${path}`, { ...sent, headers: { Host: apiHost, ...sent.headers } });
    const event = async (path: string, sent: Sent = {}) => (await send(path, sent)).json() as ProxyEvent;
    const stop = async () => {
      await server.stop();
      await lambda.stop();
      stack.remove();
    };
    const valuesOf = (namespace: string, name: string, dimensions: Record<string, string> = {}) =>
      metrics.values({ namespace, name, dimensions }, 0, 1);
    return { send, event, logged, valuesOf, stop };
  } catch (error) {
    stack.remove();
    throw error;
  }
}
