import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RawResource } from "../src/template-intrinsics.ts";
import { type ApiPaths, routePaths } from "./fixture-stack.ts";
import { type RunningApi, startApi } from "./running-api.ts";

const first = "first0123456789abcdefghij";
const second = "second0123456789abcdefghij";

/** API definition with a security scheme for API keys. */
const keyed = {
  "x-amazon-apigateway-api-key-source": "HEADER",
  components: { securitySchemes: { edge: { type: "apiKey", name: "x-api-key", in: "header" } } },
};

/** Makes the methods of the paths require an API key. */
function requiringKey(paths: ApiPaths): ApiPaths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([name, operation]) => [name, { ...operation, security: [{ edge: [] }] }]),
      ),
    ]),
  );
}

const paths = requiringKey(routePaths("GET", "/a", "Echo"));

const key = (value: unknown, properties: object = { Enabled: true }): RawResource => ({
  Type: "AWS::ApiGateway::ApiKey",
  Properties: { Value: value, ...properties },
});
const plan = (properties: object = {}): RawResource => ({
  Type: "AWS::ApiGateway::UsagePlan",
  Properties: { ApiStages: [{ ApiId: { Ref: "Api" }, Stage: { Ref: "Stage" } }], ...properties },
});
const inPlan = (keyId: string, planId = "Plan", properties: object = {}): RawResource => ({
  Type: "AWS::ApiGateway::UsagePlanKey",
  Properties: {
    KeyId: { Ref: keyId },
    KeyType: "API_KEY",
    UsagePlanId: { Ref: planId },
    ...properties,
  },
});

let api: RunningApi | undefined;

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-15T23:00:00Z") }));

afterEach(async () => {
  vi.useRealTimers();
  await api?.stop();
  api = undefined;
});

/** Starts an API. `get` calls `GET /a` with a key. */
async function start(
  resources: Record<string, RawResource>,
  { of = paths, body = {}, secret = "" }: { of?: ApiPaths; body?: object; secret?: string } = {},
) {
  const started = await startApi(of, undefined, { ...keyed, ...body }, resources, { secret });
  api = started;
  const get = (value?: string, path = "/a") =>
    started.send(path, { headers: value === undefined ? {} : { "X-Api-Key": value } });
  const statuses = async (...values: (string | undefined)[]) => {
    const found: number[] = [];
    for (const value of values) found.push((await get(value)).status);
    return found;
  };
  return { ...started, get, statuses };
}

const onePlan = (properties: object = {}) => ({
  Key: key(first),
  Plan: plan(properties),
  Held: inPlan("Key"),
});

describe("a method that requires an API key (Configure a method to use API keys with an OpenAPI definition)", () => {
  it("refuses a missing or unknown key with 403, before the function", async () => {
    const { get, logged } = await start(onePlan());

    for (const response of [await get(), await get(""), await get(second), await get(first.toUpperCase())]) {
      expect(response.status).toBe(403);
      expect(response.headers["x-amzn-errortype"]).toBe("ForbiddenException");
      expect(response.json()).toEqual({ message: "Forbidden" });
    }
    expect(logged).toEqual([]);
  });

  it("refuses with the API's gateway response for INVALID_API_KEY", async () => {
    const template = { "application/json": '{"error":"keys"}' };
    const { get } = await start(onePlan(), {
      body: {
        "x-amazon-apigateway-gateway-responses": { INVALID_API_KEY: { responseTemplates: template } },
      },
    });

    expect((await get()).json()).toEqual({ error: "keys" });
  });

  it("passes the key to its function", async () => {
    const { get } = await start(onePlan());

    expect((await get(first)).json()).toMatchObject({
      requestContext: { identity: { apiKey: first, apiKeyId: "Key" } },
    });
  });

  it("reads the value of a key from a secret", async () => {
    const reference =
      "{{resolve:secretsmanager:arn:aws:secretsmanager:us-east-1:1:secret:x:SecretString:::}}";
    const { statuses } = await start({ ...onePlan(), Key: key(reference) }, { secret: second });

    expect(await statuses(second, first)).toEqual([200, 403]);
  });

  it("does not affect methods without this requirement", async () => {
    const { get } = await start(onePlan(), { of: { ...paths, ...routePaths("GET", "/open", "Echo") } });

    const response = await get(undefined, "/open");
    expect(response.status).toBe(200);
    expect(response.json()).not.toHaveProperty("requestContext.identity.apiKey");
  });

  it("refuses a disabled key, and a key that is not in the stage's plans", async () => {
    const { statuses } = await start({ Key: key(first), Plan: plan() });
    expect(await statuses(first)).toEqual([403]);
    await api?.stop();

    const disabled = await start({ ...onePlan(), Key: key(first, {}) });
    expect(await disabled.statuses(first)).toEqual([403]);
  });
});

describe("two APIs with a stage of the same name", () => {
  const other = {
    Other: {
      Type: "AWS::ApiGateway::RestApi",
      Properties: { Body: { openapi: "3.0.1", info: { title: "other", version: "1" }, paths: {} } },
    },
    OtherStage: {
      Type: "AWS::ApiGateway::Stage",
      Properties: { RestApiId: { Ref: "Other" }, StageName: "live" },
    },
  };
  const ofOther = plan({ ApiStages: [{ ApiId: { Ref: "Other" }, Stage: { Ref: "OtherStage" } }] });

  it("accept only the keys of their own plans", async () => {
    const { statuses } = await start({
      ...other,
      ...onePlan(),
      OtherKey: key(second),
      OtherPlan: ofOther,
      OtherHeld: inPlan("OtherKey", "OtherPlan"),
    });

    expect(await statuses(first, second)).toEqual([200, 403]);
  });
});

describe("a usage plan (Usage plans and API keys for REST APIs in API Gateway)", () => {
  it("accepts each of its keys, and counts their requests separately", async () => {
    const { statuses } = await start({
      ...onePlan({ Quota: { Limit: 2, Period: "DAY" } }),
      Other: key(second),
      OtherHeld: inPlan("Other"),
    });

    expect(await statuses(first, first, first, second, second, second)).toEqual([
      200, 200, 429, 200, 200, 429,
    ]);
  });

  it("refuses requests above the daily quota as Limit Exceeded until midnight UTC", async () => {
    const { get, statuses } = await start(onePlan({ Quota: { Limit: 1, Period: "DAY" } }));
    expect(await statuses(first, undefined, first)).toEqual([200, 403, 429]);

    const refused = await get(first);
    expect(refused.headers["x-amzn-errortype"]).toBe("LimitExceededException");
    expect(refused.json()).toEqual({ message: "Limit Exceeded" });

    vi.setSystemTime(Date.parse("2026-01-16T00:00:00Z"));
    expect(await statuses(first, first)).toEqual([200, 429]);
  });

  it("refuses requests above its throttle as TooManyRequests", async () => {
    const { get, statuses } = await start(
      onePlan({ Throttle: { RateLimit: 0.001, BurstLimit: 1 }, Quota: { Limit: 1, Period: "DAY" } }),
    );

    expect(await statuses(first, first)).toEqual([200, 429]);
    expect((await get(first)).headers["x-amzn-errortype"]).toBe("TooManyRequestsException");
  });
});

describe("a usage plan that API Gateway would refuse", () => {
  const other = { Type: "AWS::ApiGateway::RestApi", Properties: {} };
  const outside = plan({ ApiStages: [{ ApiId: { Ref: "Other" }, Stage: { Ref: "Stage" } }] });

  it.each([
    ["a short key", { ...onePlan(), Key: key("short") }, "Key.Value has 5 characters"],
    ["a long key", { ...onePlan(), Key: key("k".repeat(129)) }, "Key.Value has 129 characters"],
    ["a key with punctuation", { ...onePlan(), Key: key(`${first}-`) }, "20 to 128 letters and digits"],
    ["two keys with one value", { ...onePlan(), Twin: key(first) }, "Twin.Value is the same as that of Key"],
    ["a key with stages", { Key: key(first, { StageKeys: [] }) }, "put the key into a usage plan"],
    ["a stage of another API", { Other: other, Plan: outside }, "the API other has no stage live"],
    [
      "a missing stage",
      { Plan: plan({ ApiStages: [{ ApiId: { Ref: "Api" }, Stage: "x" }] }) },
      "has no stage x",
    ],
    ["a missing key", { ...onePlan(), Held: inPlan("Plan") }, "the template has no API key Plan"],
    ["a missing plan", { ...onePlan(), Held: inPlan("Key", "Key") }, "has no usage plan Key"],
    [
      "an unknown type of key",
      { ...onePlan(), Held: inPlan("Key", "Plan", { KeyType: "KEY" }) },
      "write API_KEY",
    ],
    [
      "two plans for one key and stage",
      { ...onePlan(), Plan2: plan(), Held2: inPlan("Key", "Plan2") },
      "a stage allows one plan for each key",
    ],
    ["a quota of 0", onePlan({ Quota: { Limit: 0, Period: "DAY" } }), "write a whole number from 1"],
    ["a quota for another period", onePlan({ Quota: { Limit: 1, Period: "WEEK" } }), "only the period DAY"],
    ["a throttle without a burst limit", onePlan({ Throttle: { RateLimit: 1 } }), "BurstLimit undefined"],
  ])("is refused at the start: %s", async (_, resources, problem) => {
    await expect(start(resources as Record<string, RawResource>)).rejects.toThrow(problem);
  });

  it.each([
    [
      "security for the whole document, which API Gateway ignores",
      { security: [{ edge: [] }] },
      "on each method",
    ],
    ["keys from an authorizer", { "x-amazon-apigateway-api-key-source": "AUTHORIZER" }, "only HEADER"],
    ["a missing scheme", { components: { securitySchemes: {} } }, "securitySchemes has no edge"],
    [
      "a scheme with another header",
      { components: { securitySchemes: { edge: { type: "apiKey", name: "key", in: "header" } } } },
      'name: "x-api-key"',
    ],
  ])("is refused at the start: %s", async (_, body, problem) => {
    await expect(start(onePlan(), { body })).rejects.toThrow(problem);
  });
});
