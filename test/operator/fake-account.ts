import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseQuery, readSignature } from "@dropleaf/local-cloud/aws/signature";
import { vi } from "vitest";

/** AWS's response to one operation. */
export interface FakeResponse {
  readonly status?: number;
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Responses by `<service>:<operation>`, as IAM names operations. */
export type FakeResponses = Readonly<Record<string, FakeResponse | ((request: FakeRequest) => FakeResponse)>>;

export interface FakeRequest {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that responds to the preflight's operations in the shapes of AWS's API references. */
export class FakeAccount {
  /** Operations that were called, as IAM names them. */
  readonly calls = new Set<string>();
  responses: FakeResponses = {};
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (message, response) => {
      let body = "";
      for await (const chunk of message) body += chunk;
      const url = new URL(message.url ?? "/", "http://aws");
      const name = operationOf(message, url, body);
      this.calls.add(name);
      const given = this.responses[name] ?? this.responses[`${name.split(":")[0]}:*`];
      const answer = typeof given === "function" ? given({ url, headers: message.headers, body }) : given;
      if (answer === undefined) {
        response.writeHead(500).end(`There is no answer for ${name}.`);
        return;
      }
      const isXml = typeof answer.body === "string";
      response
        .writeHead(answer.status ?? 200, {
          "content-type": isXml ? "text/xml" : "application/json",
          ...answer.headers,
        })
        .end(isXml ? answer.body : JSON.stringify(answer.body));
    });
  }

  /** Starts the server and sets the AWS SDK's environment variables for it. */
  async start(): Promise<void> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    vi.stubEnv("AWS_ENDPOINT_URL", `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "key");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
  }

  stop(): void {
    vi.unstubAllEnvs();
    this.#server.close();
  }
}

type PathOfOperation = readonly [method: string, path: RegExp, operation: string];

function policyPaths(path: string, one: string, all: string): PathOfOperation[] {
  const [list, each] = [new RegExp(`^/2020-05-31/${path}$`), new RegExp(`^/2020-05-31/${path}/[^/]+$`)];
  return [
    ["GET", list, `cloudfront:List${all}`],
    ["POST", list, `cloudfront:Create${one}`],
    ["GET", each, `cloudfront:Get${one}`],
    ["DELETE", each, `cloudfront:Delete${one}`],
  ];
}

/** Paths of operations in the services' API references. */
const paths: readonly PathOfOperation[] = [
  ["GET", /^\/2016-08-19\/account-settings/, "lambda:GetAccountSettings"],
  ["GET", /^\/2015-03-31\/functions\/?$/, "lambda:ListFunctions"],
  ["GET", /^\/2025-03-07\/web-account-settings$/, "lambda:GetWebAccountSettings"],
  ["GET", /^\/2025-03-07\/web-functions\/[^/]+$/, "lambda:GetWebFunction"],
  ["GET", /^\/2020-05-31\/distribution$/, "cloudfront:ListDistributions"],
  ["POST", /^\/2020-05-31\/distribution$/, "cloudfront:CreateDistribution"],
  ["GET", /^\/2020-05-31\/distribution\/[^/]+$/, "cloudfront:GetDistribution"],
  ["DELETE", /^\/2020-05-31\/distribution\/[^/]+$/, "cloudfront:DeleteDistribution"],
  ...policyPaths("cache-policy", "CachePolicy", "CachePolicies"),
  ...policyPaths("origin-request-policy", "OriginRequestPolicy", "OriginRequestPolicies"),
  ...policyPaths("response-headers-policy", "ResponseHeadersPolicy", "ResponseHeadersPolicies"),
  ["GET", /^\/2020-05-31\/function$/, "cloudfront:ListFunctions"],
  ["GET", /^\/2013-04-01\/hostedzone\/[^/]+$/, "route53:GetHostedZone"],
  ["GET", /^\/2013-04-01\/hostedzone\/[^/]+\/rrset$/, "route53:ListResourceRecordSets"],
  ["GET", /^\/restapis$/, "apigateway:GET"],
  ["GET", /^\/pages\/_search\/manifest\.json$/, "s3:GetObject"],
];

function operationOf(message: IncomingMessage, url: URL, body: string): string {
  const parts = {
    method: message.method ?? "",
    path: url.pathname,
    query: parseQuery(url.search.slice(1)),
    headers: message.headers,
  };
  const service = readSignature(parts)?.service ?? "unsigned";
  const target = message.headers["x-amz-target"];
  if (typeof target === "string") return `${service}:${target.split(".").at(-1)}`;
  const action = new URLSearchParams(body).get("Action");
  if (action !== null) return `${service}:${action}`;
  const found = paths.find(([method, path]) => method === message.method && path.test(url.pathname));
  return found?.[2] ?? `${service}:${message.method} ${url.pathname}`;
}
