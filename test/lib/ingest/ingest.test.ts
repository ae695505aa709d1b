import { describe, expect, test } from "vitest";
import { admissionLimits } from "../../../functions/ingest/admission.ts";
import { ingestConcurrencyMax, ingestOperationIds } from "../../../functions/ingest/rows.ts";
import { type OperationId, routeOf } from "../../../functions/routes.ts";
import { givenStack, onlyResource, resourcesOf, type TemplateResource } from "../given-stack.ts";
import { statementsOfFunction } from "../lambda/function-statements.ts";

// biome-ignore lint/suspicious/noExplicitAny: CloudFormation's shape.
type Statement = any;

const named = {
  baseUrl: "https://drops.example.com",
  certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d",
} as const;
const webFunction = givenStack(named);

function originsOf(template: typeof webFunction): Statement[] {
  return onlyResource(template, "AWS::CloudFront::Distribution").Properties.DistributionConfig.Origins;
}

function ingestOriginOf(template: typeof webFunction): Statement | undefined {
  return originsOf(template).find(({ Id }) => Id === "ingest");
}

function edgeCodeOf(template: typeof webFunction): string {
  const functions = Object.entries(resourcesOf(template, "AWS::CloudFront::Function"));
  const [, found] = functions.find(([id]) => id.startsWith("EdgeViewerRequest")) ?? [];
  return found?.Properties.FunctionCode;
}

/** Returns the server's role. */
function serverRoleOf(template: typeof webFunction): TemplateResource {
  return resourceNamed(template, "AWS::IAM::Role", /^IngestWebFunctionRole/)[1];
}

function resourceNamed(
  template: typeof webFunction,
  type: string,
  id: RegExp,
): [id: string, resource: TemplateResource] {
  const found = Object.entries(resourcesOf(template, type)).find(([one]) => id.test(one));
  if (found === undefined) throw new Error(`There is no ${type} with an id like ${id}.`);
  return found;
}

function environmentOf(template: typeof webFunction): Record<string, unknown> {
  return onlyResource(template, "AWS::Lambda::WebFunctionRevision").Properties.ServiceConfig
    .EnvironmentVariables;
}

/** Returns each allowed action with its items or resource, such as `dynamodb:Query on USER#*`. */
function permissionsOf(statements: readonly Statement[]): Set<string> {
  return new Set(
    statements.flatMap(({ Action, Resource, Condition }) => {
      const items = Condition?.["ForAllValues:StringLike"]["dynamodb:LeadingKeys"] ?? [
        JSON.stringify(Resource),
      ];
      return [Action].flat().flatMap((action) => items.map((item: string) => `${action} on ${item}`));
    }),
  );
}

describe("the ingest server", () => {
  const template = webFunction;

  test("is an origin that the edge selects by id, with the secret that the server accepts", () => {
    const [api] = originsOf(template);
    const ingest = ingestOriginOf(template);

    expect(ingest.Id).toBe("ingest");
    const [{ HeaderValue: apiKey }] = api.OriginCustomHeaders;
    expect(ingest.OriginCustomHeaders).toEqual([{ HeaderName: "x-dropleaf-origin", HeaderValue: apiKey }]);
    expect(edgeCodeOf(template)).toContain('cf.selectRequestOriginById("ingest")');
  });

  test("belongs to a behavior that no request matches, because every origin needs a behavior", () => {
    const { CacheBehaviors } = onlyResource(template, "AWS::CloudFront::Distribution").Properties
      .DistributionConfig;

    const patterns = CacheBehaviors.map(({ PathPattern }: Statement) => PathPattern);
    const own = CacheBehaviors.find(({ TargetOriginId }: Statement) => TargetOriginId === "ingest");
    expect(own.PathPattern).toBe("/api/large-bodies");
    expect(patterns.indexOf("/api/*")).toBeLessThan(patterns.indexOf(own.PathPattern));
  });

  test("gets its secret by a dynamic reference, which is not in the edge's code", () => {
    expect(edgeCodeOf(template)).not.toContain("resolve:secretsmanager");
    expect(JSON.stringify(originsOf(template))).toContain("{{resolve:secretsmanager:");
  });

  test("has the permissions of its operations' functions, each in separate statements, and may abort an upload", () => {
    const functions = resourcesOf(template, "AWS::Lambda::Function");
    const roles = resourcesOf(template, "AWS::IAM::Role");
    const all = permissionsOf(
      ingestOperationIds.flatMap((id) => statementsOfFunction(functionOf(id, functions), roles)),
    );
    const granted = ingestOperationIds.flatMap((id) => routeOf(id).grants.table?.items ?? []);
    const [first, ...own] = serverRoleOf(template).Properties.Policies[0].PolicyDocument.Statement;

    expect(first.Action).toEqual(["logs:CreateLogStream", "logs:PutLogEvents"]);
    const abort = own.at(-1);
    expect(abort.Action).toBe("s3:AbortMultipartUpload");
    const permissions = permissionsOf(own.slice(0, -1));
    for (const item of granted) expect([...permissions].join()).toContain(`${item}#*`);
    expect([...permissions].filter((permission) => !all.has(permission))).toEqual([]);
    expect(serverRoleOf(template).Properties).not.toHaveProperty("ManagedPolicyArns");
  });

  test("gets the service's URL, table and buckets", () => {
    expect(environmentOf(template)).toMatchObject({
      BASE_URL: "https://drops.example.com",
      BASE_DOMAIN: "drops.example.com",
      TABLE_NAME: expect.anything(),
      PAGES_BUCKET: expect.anything(),
      BLOBS_BUCKET: expect.anything(),
      ORIGIN_SECRET: expect.anything(),
    });
  });

  test("does not get the service's URL without a domain, which would be a reference cycle", () => {
    const unnamed = environmentOf(givenStack());

    expect(unnamed).not.toHaveProperty("BASE_URL");
    expect(unnamed).not.toHaveProperty("BASE_DOMAIN");
  });
});

describe("the Web Function", () => {
  test("has at most four environments, each with twice its concurrency for requests that it refuses", () => {
    const { ScalingConfig } = onlyResource(webFunction, "AWS::Lambda::WebFunctionEndpoint").Properties;
    const { ServiceConfig } = onlyResource(webFunction, "AWS::Lambda::WebFunctionRevision").Properties;

    expect(ScalingConfig).toEqual({ MaxEnvironments: 4 });
    expect(ServiceConfig.MaxConcurrencyPerEnvironment).toBe(2 * ingestConcurrencyMax);
  });

  test.each([
    ["by default twice the rate that one server accepts", {}, 100],
    ["if set by the operator", { ingest: { requestsPerSecondMax: 300 } }, 300],
  ])("has a rate limit, %s", (_, settings, rate) => {
    const { ThrottleConfig } = onlyResource(
      givenStack({ ...named, ...settings }),
      "AWS::Lambda::WebFunctionEndpoint",
    ).Properties;

    expect(ThrottleConfig).toEqual({ RateLimit: rate });
    expect(rate).toBeGreaterThanOrEqual(2 * admissionLimits.ratePerSecond);
  });

  test("is referenced by name in its revision and endpoint, because CloudFormation cannot read an endpoint by ARN", () => {
    const [[id, { Properties }] = ["", { Properties: {} }]] = Object.entries(
      resourcesOf(webFunction, "AWS::Lambda::WebFunction"),
    );

    for (const type of ["AWS::Lambda::WebFunctionRevision", "AWS::Lambda::WebFunctionEndpoint"]) {
      const resource = onlyResource(webFunction, type);
      expect(resource.Properties.FunctionName).toBe(Properties.FunctionName);
      expect(resource.DependsOn).toContain(id);
    }
  });

  test("has its code copied by a function that can read only this code", () => {
    const [, { Properties }] = resourceNamed(webFunction, "AWS::IAM::Role", /^IngestWebFunctionCopyRole/);
    const [codeBucket] = resourceNamed(webFunction, "AWS::S3::Bucket", /^IngestWebFunctionCodeBucket/);
    const copy = onlyResource(webFunction, "Custom::S3ObjectCopy").Properties;
    const [, write, read] = Properties.Policies[0].PolicyDocument.Statement;

    expect(Properties).not.toHaveProperty("ManagedPolicyArns");
    expect(resourcesOf(webFunction, "AWS::IAM::Policy")).toEqual({});
    expect(write).toMatchObject({
      Action: ["s3:PutObject", "s3:DeleteObjectVersion"],
      Resource: { "Fn::Join": ["", [{ "Fn::GetAtt": [codeBucket, "Arn"] }, "/*"]] },
    });
    expect(read.Action).toBe("s3:GetObject");
    expect(JSON.stringify(read.Resource)).toContain(`/${copy.SourceObjectKey}"`);
    expect(copy.DestinationBucketName).toEqual({ Ref: codeBucket });
  });

  test("adds eleven resources to a stack", () => {
    const without = Object.keys(givenStack({ ...named, ingest: "none" }).toJSON().Resources);
    const added = Object.keys(webFunction.toJSON().Resources).filter((id) => !without.includes(id));

    expect(added).toHaveLength(11);
  });

  test("has five minutes for a request, on the runtime that it is bundled for", () => {
    const { ServiceConfig, BuildConfig } = onlyResource(
      webFunction,
      "AWS::Lambda::WebFunctionRevision",
    ).Properties;

    expect(ServiceConfig).toMatchObject({ TimeoutSeconds: 300 });
    expect(ServiceConfig.EnvironmentVariables.AWS_LAMBDA_NODEJS_ENTRYPOINT).toBe("index.mjs");
    expect(BuildConfig.RuntimeConfig.Runtime).toBe("nodejs24.x");
  });

  test("passes the Authorization header to the server, and is called over TLS", () => {
    expect(onlyResource(webFunction, "AWS::Lambda::WebFunctionEndpoint").Properties.AuthType).toBe(
      "ApplicationManaged",
    );
    expect(ingestOriginOf(webFunction)?.CustomOriginConfig).toMatchObject({
      OriginProtocolPolicy: "https-only",
      OriginReadTimeout: 60,
    });
  });
});

describe("without an ingest server", () => {
  test("the stack has none of its resources, and the edge does not select its origin", () => {
    const none = givenStack({ ingest: "none" });

    // The API, the two origins of files, and the origin of folders.
    expect(originsOf(none)).toHaveLength(4);
    expect(ingestOriginOf(none)).toBeUndefined();
    expect(resourcesOf(none, "AWS::Lambda::WebFunction")).toEqual({});
    expect(edgeCodeOf(none)).not.toContain('"ingest"');
  });
});

test("a stack has an ingest server by default", () => {
  const template = givenStack();

  expect(ingestOriginOf(template)).toBeDefined();
  expect(edgeCodeOf(template)).toContain('selectRequestOriginById("ingest")');
});

function functionOf(id: OperationId, functions: Record<string, TemplateResource>): TemplateResource {
  const { summary } = routeOf(id);
  const found = Object.values(functions).find(({ Properties }) => Properties.Description === summary);
  if (found === undefined) throw new Error(`${id} has no function.`);
  return found;
}
