import { parseDistribution } from "../src/cloudfront/distribution.ts";
import { createEdge } from "../src/cloudfront/edge.ts";
import { type HttpRequest, type HttpResponse, readBody } from "../src/http-message.ts";
import { startHttpServer } from "../src/http-server.ts";
import { resolveTemplate, resourcesOfType } from "../src/template.ts";
import type { RawResource } from "../src/template-intrinsics.ts";
import { type Sent, send } from "./http-client.ts";

/** A request as the origin received it. */
export interface OriginRequest extends Omit<HttpRequest, "body"> {
  readonly origin: string;
  readonly text: string;
}

/** Response of the origin. */
export interface OriginResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Serves a distribution. `answer` responds for all of its origins, and `requests` collects the origin requests. */
export async function startEdgeFixture(
  config: Record<string, unknown>,
  answer: (request: OriginRequest) => OriginResponse | Promise<OriginResponse>,
  resources: Record<string, RawResource> = {},
) {
  const template = resolveTemplate(
    {
      Resources: {
        ...resources,
        Distribution: { Type: "AWS::CloudFront::Distribution", Properties: { DistributionConfig: config } },
      },
    },
    "/nowhere",
  );
  const [resource] = resourcesOfType(template, "AWS::CloudFront::Distribution");
  if (resource === undefined) throw new Error("the fixture has no distribution");
  const distribution = parseDistribution(template, resource, (secret) => `secret ${secret}`);
  const requests: OriginRequest[] = [];
  const logged: string[] = [];
  const respond = async ({ body, ...request }: HttpRequest, origin: string): Promise<HttpResponse> => {
    const text = (await readBody(body, 1e6))?.toString() ?? "";
    requests.push({ ...request, origin, text });
    const given = await answer({ ...request, origin, text });
    return {
      statusCode: given.status ?? 200,
      headers: Object.entries(given.headers ?? {}),
      body: Buffer.from(given.body ?? ""),
    };
  };
  const edge = createEdge({
    distribution,
    handlers: [
      (request, origin) => (origin.domainName.endsWith(".test") ? respond(request, origin.id) : undefined),
    ],
    log: (line) => logged.push(line),
  });
  const server = await startHttpServer({
    port: 0,
    handle: async (request) => (await edge.handle(request)).response,
    onError: (error) => logged.push(String(error)),
  });
  return {
    edge,
    requests,
    logged,
    send: (path: string, sent?: Sent) => send(server.port, path, sent),
    stop: () => server.stop(),
  };
}

/** Creates an origin `<id>` at `<id>.test`. */
export function origin(id: string, config: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    Id: id,
    DomainName: `${id}.test`,
    CustomOriginConfig: { OriginProtocolPolicy: "https-only" },
    ...config,
  };
}

/** Creates the cache policy `Policy`. */
export function cachePolicy(
  ttlSeconds: { min?: number; default?: number; max?: number },
  key: Record<string, unknown> = {},
): Record<string, RawResource> {
  return {
    Policy: {
      Type: "AWS::CloudFront::CachePolicy",
      Properties: {
        CachePolicyConfig: {
          Name: "policy",
          MinTTL: ttlSeconds.min ?? 0,
          DefaultTTL: ttlSeconds.default ?? 0,
          MaxTTL: ttlSeconds.max ?? 31_536_000,
          ParametersInCacheKeyAndForwardedToOrigin: {
            EnableAcceptEncodingGzip: false,
            HeadersConfig: { HeaderBehavior: "none" },
            CookiesConfig: { CookieBehavior: "none" },
            QueryStringsConfig: { QueryStringBehavior: "none" },
            ...key,
          },
        },
      },
    },
  };
}

/** Creates a CloudFront Function and its association with a behavior. */
export function edgeFunction(eventType: "viewer-request" | "viewer-response", code: string) {
  return {
    resources: { Fn: { Type: "AWS::CloudFront::Function", Properties: { Name: "Fn", FunctionCode: code } } },
    association: { EventType: eventType, FunctionARN: { "Fn::GetAtt": ["Fn", "FunctionARN"] } },
  };
}
