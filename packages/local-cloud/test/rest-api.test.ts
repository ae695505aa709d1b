import { afterEach, describe, expect, it } from "vitest";
import { type ApiPaths, restApiResources, routePaths } from "./fixture-stack.ts";
import { apiHost, echoBundle, type RunningApi, startApi as start } from "./running-api.ts";

let running: RunningApi | undefined;

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

async function startApi(...given: Parameters<typeof start>): Promise<RunningApi> {
  running = await start(...given);
  return running;
}

const route = (httpMethod: string, path: string, name = "Echo") => routePaths(httpMethod, path, name);

/** Adds these values to the integrations of the paths. */
function withIntegration(paths: ApiPaths, values: object): ApiPaths {
  return JSON.parse(JSON.stringify(paths), (name, value) =>
    name === "x-amazon-apigateway-integration" ? { ...value, ...values } : value,
  );
}

/** Creates a function that returns the value of this source. */
const answering = (source: string) => ({ Echo: `export const handler = async (event) => (${source});` });

describe("routing (API Gateway developer guide, Resources and methods)", () => {
  it("prefers the most specific resource: literal, then parameter, then greedy", async () => {
    const { event } = await startApi({
      ...route("GET", "/{proxy+}"),
      ...route("GET", "/a/{id}"),
      ...route("GET", "/a/fixed"),
      ...route("GET", "/a/{id}/b"),
    });

    expect((await event("/a/fixed")).resource).toBe("/a/fixed");
    expect(await event("/a/x")).toMatchObject({ resource: "/a/{id}", pathParameters: { id: "x" } });
    expect(await event("/a/x/b")).toMatchObject({ resource: "/a/{id}/b", pathParameters: { id: "x" } });
    expect(await event("/a/fixed/c/d")).toMatchObject({
      resource: "/{proxy+}",
      pathParameters: { proxy: "a/fixed/c/d" },
    });
  });

  it("finds a resource by any normalization of the path, because API Gateway does not document one", async () => {
    const { event } = await startApi({ ...route("GET", "/p/{slug}/raw"), ...route("GET", "/{proxy+}") });

    for (const path of [
      "/%70/x/ra%77",
      "//p//x/raw",
      "/./p/x/%2e/raw/",
      "/y/../p/x/raw",
      "/y/%2E%2e/p/x/raw",
    ]) {
      const found = { resource: "/p/{slug}/raw", path, pathParameters: { slug: "x" } };
      expect(await event(path)).toMatchObject(found);
    }
    for (const path of ["/p/x%2fraw", "/%2570/x/raw", "/P/x/raw", "/%zz/x/raw"])
      expect((await event(path)).resource).toBe("/{proxy+}");
  });

  it("refuses an unknown path or method with MISSING_AUTHENTICATION_TOKEN (Gateway response types)", async () => {
    const { send } = await startApi(route("GET", "/a"));

    for (const response of [await send("/b"), await send("/a", { method: "POST" }), await send("/a/b")]) {
      expect(response.status).toBe(403);
      expect(response.headers["x-amzn-errortype"]).toBe("MissingAuthenticationTokenException");
      expect(response.json()).toEqual({ message: "Missing Authentication Token" });
    }
  });

  it("refuses a host that is not the API's own", async () => {
    const { send } = await startApi(route("GET", "/a"));

    const response = await send("/a", { headers: { Host: "drops.example.com" } });

    expect(response.status).toBe(403);
    expect(response.json()).toEqual({ message: "Forbidden" });
  });

  it("uses ANY for methods without their own entry", async () => {
    const [any, get] = [route("ANY", "/a")["/a"], route("GET", "/a", "Other")["/a"]];
    const { send } = await startApi(
      { "/a": { ...any, ...get } },
      { ...echoBundle, Other: answering("{}").Echo },
    );

    expect((await send("/a")).text).toBe("");
    expect((await send("/a", { method: "DELETE" })).json()).toMatchObject({ httpMethod: "DELETE" });
  });

  it.each([
    [
      "that cannot invoke the function",
      { Policies: [] },
      "the role arn:aws:iam::000000000000:role/InvokeRole may not invoke arn:aws:lambda:us-east-1:000000000000:function:Echo: not allowed by any statement",
    ],
    [
      "that API Gateway cannot assume",
      { AssumeRolePolicyDocument: {} },
      "the role arn:aws:iam::000000000000:role/InvokeRole cannot be assumed by apigateway.amazonaws.com",
    ],
  ])("returns 500 for a role %s, with the reason in the log", async (_, properties, refusal) => {
    const paths = route("GET", "/a");
    const { InvokeRole } = restApiResources(paths);
    const changed = {
      Type: "AWS::IAM::Role",
      Properties: { ...InvokeRole?.Properties, ...properties },
    };

    const { send, logged } = await startApi(paths, undefined, {}, { InvokeRole: changed });

    expect((await send("/a")).status).toBe(500);
    expect(logged.join()).toContain(`GET /a: ${refusal}`);
  });
});

describe("the event (API Gateway developer guide, Lambda proxy integrations in API Gateway)", () => {
  it("has path, parameters and context of the request", async () => {
    const { event } = await startApi(route("GET", "/a/{id}"));

    const got = await event("/a/x%20y%2Fz");

    expect(got).toMatchObject({
      resource: "/a/{id}",
      path: "/a/x%20y%2Fz",
      httpMethod: "GET",
      pathParameters: { id: "x y/z" },
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        stage: "live",
        path: "/live/a/x%20y%2Fz",
        resourcePath: "/a/{id}",
        httpMethod: "GET",
        apiId: "api",
        domainName: apiHost,
        identity: { sourceIp: "127.0.0.1" },
      },
    });
  });

  it("has decoded query parameters: the last one of each name, and all of them", async () => {
    const { event } = await startApi(route("GET", "/a"));

    expect(await event("/a?x=1&x=%C3%A4+b&empty=&flag")).toMatchObject({
      queryStringParameters: { x: "ä b", empty: "", flag: "" },
      multiValueQueryStringParameters: { x: ["1", "ä b"], empty: [""], flag: [""] },
    });
  });

  it("has query values split at semicolons (Important notes)", async () => {
    const { event } = await startApi(route("GET", "/a"));

    expect((await event("/a?x=1;y=2")).queryStringParameters).toEqual({ x: "1", y: "2" });
  });

  it("has the request's headers without those that API Gateway removes, and the headers that API Gateway adds", async () => {
    const { event } = await startApi(route("POST", "/a"));

    const { headers, multiValueHeaders } = await event("/a", {
      method: "POST",
      body: "abc",
      headers: { "X-Twice": ["1", "2"], "Content-MD5": "x", "X-Forwarded-For": "203.0.113.9" },
    });

    expect(headers).toMatchObject({
      "X-Twice": "2",
      "X-Forwarded-For": "203.0.113.9, 127.0.0.1",
      "X-Forwarded-Proto": "https",
    });
    expect(multiValueHeaders).toMatchObject({ "X-Twice": ["1", "2"] });
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    expect(names).not.toContain("content-length");
    expect(names).not.toContain("content-md5");
  });

  it("has a body of a binary media type as base64, and other bodies as text", async () => {
    const { event } = await startApi(route("POST", "/a"), undefined, {
      "x-amazon-apigateway-binary-media-types": ["image/png"],
    });
    const body = Buffer.from([0xff, 0x00, 0x7f]);

    const binary = await event("/a", { method: "POST", body, headers: { "Content-Type": "image/png" } });
    const text = await event("/a", {
      method: "POST",
      body: '"ä"',
      headers: { "Content-Type": "application/json" },
    });

    expect(binary).toMatchObject({ body: body.toString("base64"), isBase64Encoded: true });
    expect(text).toMatchObject({ body: '"ä"', isBase64Encoded: false });
  });
});

describe("the response (API Gateway developer guide, Output format of a Lambda function for proxy integration)", () => {
  it("merges headers and multiValueHeaders, where the latter have precedence", async () => {
    const { send } = await startApi(
      route("GET", "/a"),
      answering(
        '{ statusCode: 201, headers: { "X-One": "1", "Set-Cookie": "lost=1" }, multiValueHeaders: { "Set-Cookie": ["a=1", "b=2"] }, body: "hi" }',
      ),
    );

    const response = await send("/a");

    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({
      "x-one": "1",
      "set-cookie": ["a=1", "b=2"],
      "content-type": "application/json",
    });
    expect(response.headers).toHaveProperty("x-amzn-requestid");
    expect(response.headers).toHaveProperty("x-amz-apigw-id");
    expect(response.text).toBe("hi");
  });

  it("is decoded from base64 only if the Accept header has a binary media type", async () => {
    const { send } = await startApi(
      route("GET", "/a"),
      answering('{ statusCode: 200, body: "/wB/", isBase64Encoded: true }'),
      { "x-amazon-apigateway-binary-media-types": ["image/png"] },
    );

    expect((await send("/a", { headers: { Accept: "image/png,*/*" } })).body).toEqual(
      Buffer.from([0xff, 0x00, 0x7f]),
    );
    expect((await send("/a", { headers: { Accept: "text/html" } })).text).toBe("/wB/");
  });

  it("has WWW-Authenticate and Date remapped (Important notes)", async () => {
    const { send } = await startApi(
      route("GET", "/a"),
      answering(
        '{ statusCode: 401, headers: { "WWW-Authenticate": "Bearer", Date: "then", "Transfer-Encoding": "x" } }',
      ),
    );

    const { headers } = await send("/a");

    expect(headers["www-authenticate"]).toBeUndefined();
    expect(headers["x-amzn-remapped-www-authenticate"]).toBe("Bearer");
    expect(headers["x-amzn-remapped-date"]).toBe("then");
  });

  it.each([
    ["a text", '"hello"'],
    ["an unknown field", "{ statusCode: 200, status: 200 }"],
    ["a body that is not text", "{ statusCode: 200, body: {} }"],
    ["a status that is not a number", '{ statusCode: "fine" }'],
    ["an error", '(() => { throw new Error("x"); })()'],
  ])("is 502 for a function that returns %s", async (_, source) => {
    const { send } = await startApi(route("GET", "/a"), answering(source));

    const response = await send("/a");

    expect(response.status).toBe(502);
    expect(response.json()).toEqual({ message: "Internal server error" });
  });
});

describe("gateway responses (API Gateway developer guide, Gateway responses for REST APIs)", () => {
  const gatewayResponses = (byType: Record<string, object>) => ({
    "x-amazon-apigateway-binary-media-types": ["*/*"],
    "x-amazon-apigateway-gateway-responses": byType,
  });
  const template = '{"error":{"code":"x","message":$context.error.messageString,"id":"$context.requestId"}}';

  it("have the status, headers and template of their definition", async () => {
    const { send } = await startApi(
      route("GET", "/a"),
      undefined,
      gatewayResponses({
        MISSING_AUTHENTICATION_TOKEN: {
          statusCode: "404",
          responseTemplates: { "application/json": template },
          responseParameters: { "gatewayresponse.header.Cache-Control": "'no-store'" },
        },
      }),
    );

    const response = await send("/b");

    expect(response.status).toBe(404);
    expect(response.headers["cache-control"]).toBe("no-store");
    expect(response.json()).toEqual({
      error: { code: "x", message: "Missing Authentication Token", id: response.headers["x-amzn-requestid"] },
    });
  });

  it("for DEFAULT_4XX and DEFAULT_5XX cover other types, with each type's status", async () => {
    const { send } = await startApi(
      route("GET", "/a"),
      answering("null"),
      gatewayResponses({
        DEFAULT_4XX: { responseTemplates: { "application/json": '{"kind":"4"}' } },
        DEFAULT_5XX: { responseTemplates: { "application/json": '{"kind":"5"}' } },
      }),
    );

    const unknown = await send("/b");
    const malformed = await send("/a");

    expect([unknown.status, unknown.json()]).toEqual([403, { kind: "4" }]);
    expect([malformed.status, malformed.json()]).toEqual([502, { kind: "5" }]);
  });

  it("are REQUEST_TOO_LARGE for a body above 10 MB, and for an event above Lambda's 6 MB", async () => {
    const { send } = await startApi(
      route("POST", "/a"),
      undefined,
      gatewayResponses({ REQUEST_TOO_LARGE: { responseTemplates: { "application/json": template } } }),
    );
    const post = (bytes: number) => send("/a", { method: "POST", body: Buffer.alloc(bytes) });

    const aboveApi = await post(10_485_761);
    const aboveLambda = await post(4_800_000);

    expect(aboveApi.status).toBe(413);
    expect(aboveApi.json()).toMatchObject({
      error: { message: "HTTP content length exceeded 10485760 bytes." },
    });
    expect(aboveLambda.status).toBe(413);
    expect(aboveLambda.json()).toMatchObject({ error: { message: "Request Too Long" } });
  });

  it("for DEFAULT_4XX do not cover a body above 10 MB", async () => {
    const { send } = await startApi(
      route("POST", "/a"),
      undefined,
      gatewayResponses({ DEFAULT_4XX: { responseTemplates: { "application/json": template } } }),
    );

    const response = await send("/a", { method: "POST", body: Buffer.alloc(10_485_761) });

    expect(response.status).toBe(413);
    expect(response.text).toBe("HTTP content length exceeded 10485760 bytes.");
  });

  it("are INTEGRATION_TIMEOUT with 504 if the integration exceeds its timeout", async () => {
    const { send } = await startApi(
      withIntegration(route("GET", "/a"), { timeoutInMillis: 60 }),
      answering('await new Promise((done) => setTimeout(done, 400)), { body: "" }'),
    );

    const response = await send("/a");

    expect(response.status).toBe(504);
    expect(response.json()).toEqual({ message: "Endpoint request timed out" });
  });
});

describe("excess requests (API Gateway developer guide, Throttle requests to your REST APIs)", () => {
  const stage = (settings: readonly object[]) => ({
    Stage: {
      Type: "AWS::ApiGateway::Stage",
      Properties: {
        RestApiId: { Ref: "Api" },
        StageName: "live",
        DeploymentId: { Ref: "Deployment" },
        MethodSettings: settings,
      },
    },
  });
  const limit = (burst: number) => ({ ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: burst });
  const every = { ResourcePath: "/*", HttpMethod: "*" };
  const busy = {
    "x-amazon-apigateway-gateway-responses": {
      THROTTLED: {
        statusCode: "429",
        responseParameters: { "gatewayresponse.header.Retry-After": "'1'" },
      },
    },
  };
  const statuses = async (send: (path: string) => Promise<{ status: number }>, paths: readonly string[]) => {
    const found: number[] = [];
    for (const path of paths) found.push((await send(path)).status);
    return found;
  };

  it("for a method are THROTTLED: each method has a bucket, and its own settings have precedence", async () => {
    const own = { ResourcePath: "/~1b", HttpMethod: "GET", ...limit(2) };
    const { send } = await startApi(
      { ...route("GET", "/a"), ...route("GET", "/b") },
      undefined,
      busy,
      stage([{ ...every, ...limit(1) }, own]),
    );

    expect(await statuses(send, ["/a", "/a", "/b", "/b", "/b"])).toEqual([200, 429, 200, 200, 429]);
    expect((await send("/a")).headers["retry-after"]).toBe("1");
  });

  it("for the account are THROTTLED, although the method has no limit", async () => {
    const { send } = await startApi(route("GET", "/a"), undefined, undefined, undefined, {
      requestsPerSecond: 2,
    });

    const answers = await Promise.all(Array.from({ length: 20 }, () => send("/a")));

    const found = answers.map(({ status }) => status);
    expect(found.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(found.filter((status) => status === 429).length).toBeGreaterThan(10);
  });

  it("for Lambda's concurrency return 504, not 429", async () => {
    const slow =
      "export const handler = async () => { await new Promise((done) => setTimeout(done, 300)); return { statusCode: 200 }; };";
    const { send } = await startApi(route("GET", "/a", "Slow"), { Slow: slow }, undefined, undefined, {
      concurrentExecutions: 1,
    });

    const answers = await Promise.all([send("/a"), send("/a")]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 504]);
  });
});

describe("metrics (API Gateway developer guide, Amazon API Gateway dimensions and metrics; AWS Lambda developer guide, Types of metrics for Lambda functions)", () => {
  const apiName = { ApiName: "api" };

  it("count requests, errors by kind, and integration calls", async () => {
    const paths = { ...route("GET", "/ok"), ...route("GET", "/broken", "Broken") };
    const broken = `export const handler = async () => { throw new Error("broken"); };`;
    const { send, valuesOf } = await startApi(paths, { ...echoBundle, Broken: broken });

    for (const path of ["/ok", "/missing", "/broken"]) await send(path);

    const ofApi = (name: string) => valuesOf("AWS/ApiGateway", name, apiName);
    expect(ofApi("Count")).toEqual([1, 1, 1]);
    expect(ofApi("4XXError")).toEqual([0, 1, 0]);
    expect(ofApi("5XXError")).toEqual([0, 0, 1]);
    expect(ofApi("Latency")).toHaveLength(3);
    expect(ofApi("IntegrationLatency")).toHaveLength(2);
    expect(valuesOf("AWS/Lambda", "Invocations")).toEqual([1, 1]);
    expect(valuesOf("AWS/Lambda", "Errors")).toEqual([0, 1]);
  });

  it("count calls that Lambda throttles, but not as invocations", async () => {
    const limits = { concurrentExecutions: 0 };
    const { send, valuesOf } = await startApi(route("GET", "/ok"), undefined, undefined, {}, limits);

    await send("/ok");

    expect(valuesOf("AWS/Lambda", "Throttles")).toEqual([1]);
    expect(valuesOf("AWS/Lambda", "Invocations")).toEqual([]);
    expect(valuesOf("AWS/ApiGateway", "5XXError", apiName)).toEqual([1]);
  });
});

describe("a definition that API Gateway would refuse (OpenAPI extensions for API Gateway)", () => {
  const paths = route("GET", "/a");
  const many = Object.assign({}, ...Array.from({ length: 300 }, (_, index) => route("GET", `/n${index}`)));

  it.each([
    [
      "two parameters on one level",
      { ...route("GET", "/a/{id}"), ...route("GET", "/a/{slug}/b") },
      {},
      "/a has {id} and {slug} below it",
    ],
    [
      "a greedy parameter beside another one",
      { ...route("GET", "/a/{id}"), ...route("GET", "/a/{proxy+}") },
      {},
      "only one parameter is allowed there",
    ],
    ["a segment after a greedy parameter", route("GET", "/{proxy+}/a"), {}, "nothing can follow {proxy+}"],
    ["a parameter in part of a segment", route("GET", "/a/@{id}"), {}, '"@{id}" is not a valid segment'],
    ["more resources than an API can have", many, {}, "need 301 resources; an API has at most 300"],
    ["an undeclared parameter", { "/a/{id}": paths["/a"] ?? {} }, {}, "parameters is missing id"],
    [
      "an unknown method",
      { "/a": { fetch: paths["/a"]?.get ?? {} } },
      {},
      "Body.paths./a.fetch is not supported",
    ],
    [
      "no integration",
      { "/a": { get: { responses: { "200": {} } } } },
      {},
      "get has no x-amazon-apigateway-integration",
    ],
    ["an invocation by GET", withIntegration(paths, { httpMethod: "GET" }), {}, "invoked by POST"],
    [
      "no role for the invocation",
      withIntegration(paths, { credentials: null }),
      {},
      "give the ARN of a role",
    ],
    [
      "an unsupported integration",
      withIntegration(paths, { type: "http_proxy" }),
      {},
      "only aws_proxy and mock are emulated, not http_proxy",
    ],
    [
      "a timeout above the limit",
      withIntegration(paths, { timeoutInMillis: 30_000 }),
      {},
      "write a number from 50 to 29000",
    ],
    [
      "an unknown field of an integration",
      withIntegration(paths, { timeout: 1 }),
      {},
      "integration.timeout is not supported",
    ],
    ["another version of OpenAPI", paths, { openapi: "3.1.0" }, 'openapi is "3.1.0"; write 3.0.1'],
    ["no title", paths, { info: {} }, "info.title is missing"],
    [
      "an unknown extension",
      paths,
      { "x-amazon-apigateway-cors": {} },
      "Body.x-amazon-apigateway-cors is not supported",
    ],
    [
      "an unknown gateway response",
      paths,
      { "x-amazon-apigateway-gateway-responses": { NOT_FOUND: {} } },
      "NOT_FOUND: unknown type",
    ],
    [
      "a gateway response with an invalid status",
      paths,
      { "x-amazon-apigateway-gateway-responses": { THROTTLED: { statusCode: "4290" } } },
      'THROTTLED.statusCode is "4290"',
    ],
  ])("is refused at the start: %s", async (_, given, body, problem) => {
    await expect(startApi(given as ApiPaths, undefined, body)).rejects.toThrow(problem);
  });

  it("is refused at the start: resources outside the definition", async () => {
    const method = { Type: "AWS::ApiGateway::Method", Properties: { RestApiId: { Ref: "Api" } } };

    await expect(startApi(paths, undefined, {}, { Method: method })).rejects.toThrow(
      "Method: AWS::ApiGateway::Method is not emulated; write it into the Body",
    );
  });
});

describe("a mock integration (Set up mock integrations in API Gateway)", () => {
  const mock = {
    type: "mock",
    requestTemplates: { "application/json": '{"statusCode": 200}' },
    passthroughBehavior: "never",
    contentHandling: "CONVERT_TO_TEXT",
    responses: {
      default: {
        statusCode: "200",
        responseParameters: { "method.response.header.Retry-After": "'5'" },
        responseTemplates: { "application/json": '{"busy":true}' },
      },
    },
  };
  const pathsOf = (integration: object): ApiPaths => ({
    "/busy": {
      get: {
        responses: {
          "200": { description: "Busy", headers: { "Retry-After": { schema: { type: "string" } } } },
        },
        "x-amazon-apigateway-integration": integration,
      },
    },
  });

  it("responds without a function", async () => {
    const { send } = await startApi(pathsOf(mock));

    const response = await send("/busy");

    expect([response.status, response.text]).toEqual([200, '{"busy":true}']);
    expect(response.headers).toMatchObject({ "content-type": "application/json", "retry-after": "5" });
  });

  it("refuses a request whose content type has no template", async () => {
    const { send } = await startApi(pathsOf(mock));

    expect((await send("/busy", { headers: { "Content-Type": "text/html" } })).status).toBe(415);
  });

  it.each([
    [
      "without contentHandling, which fails for binary media types,",
      { contentHandling: undefined },
      "contentHandling must be CONVERT_TO_TEXT",
    ],
    [
      "with a Velocity template",
      {
        responses: {
          default: { ...mock.responses.default, responseTemplates: { "application/json": "$input" } },
        },
      },
      "only constant text",
    ],
    [
      "with an undeclared header",
      {
        responses: {
          default: {
            ...mock.responses.default,
            responseParameters: { "method.response.header.Allow": "'GET'" },
          },
        },
      },
      "that the method's response declares",
    ],
    [
      "with two statuses",
      { requestTemplates: { "application/json": '{"statusCode": 201}' } },
      "use the same status",
    ],
  ])("%s is refused at the start", async (_, changes, message) => {
    await expect(startApi(pathsOf({ ...mock, ...changes }))).rejects.toThrow(message);
  });
});
