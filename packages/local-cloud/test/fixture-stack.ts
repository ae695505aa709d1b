import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RawResource, RawTemplate } from "../src/template-intrinsics.ts";

type Resources = Record<string, RawResource>;

/** Writes a cdk.out folder with one stack and the bundles of its functions. `remove` deletes the folder. */
export function writeStack(
  resources: Resources,
  bundles: Readonly<Record<string, string>> = {},
): { directory: string; remove(): void } {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-stack-"));
  const template: RawTemplate = { Resources: resources };
  writeFileSync(join(directory, "Fixture.template.json"), JSON.stringify(template));
  for (const [name, code] of Object.entries(bundles)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, "index.mjs"), code);
  }
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Creates a function with the bundle of the same name, and its role. */
export function lambdaResources(name: string, properties: Record<string, unknown> = {}): Resources {
  return {
    [`${name}Role`]: { Type: "AWS::IAM::Role", Properties: { AssumeRolePolicyDocument: {} } },
    [name]: {
      Type: "AWS::Lambda::Function",
      Properties: {
        Handler: "index.handler",
        Runtime: "nodejs24.x",
        Role: { "Fn::GetAtt": [`${name}Role`, "Arn"] },
        Code: { S3Bucket: "assets", S3Key: `${name}.zip` },
        ...properties,
      },
      Metadata: { "aws:asset:path": name },
    },
  };
}

/** Methods of an OpenAPI body by path. */
export type ApiPaths = Readonly<Record<string, Readonly<Record<string, object>>>>;

/** Creates a REST API `Api` with these paths, the stage `live`, and a role that can invoke every function. */
export function restApiResources(paths: ApiPaths, body: Record<string, unknown> = {}): Resources {
  return {
    Api: {
      Type: "AWS::ApiGateway::RestApi",
      Properties: { Body: { openapi: "3.0.1", info: { title: "api", version: "1" }, paths, ...body } },
    },
    Deployment: { Type: "AWS::ApiGateway::Deployment", Properties: { RestApiId: { Ref: "Api" } } },
    Stage: {
      Type: "AWS::ApiGateway::Stage",
      Properties: { RestApiId: { Ref: "Api" }, StageName: "live", DeploymentId: { Ref: "Deployment" } },
    },
    InvokeRole: {
      Type: "AWS::IAM::Role",
      Properties: {
        AssumeRolePolicyDocument: {
          Statement: [
            {
              Effect: "Allow",
              Action: "sts:AssumeRole",
              Principal: { Service: "apigateway.amazonaws.com" },
            },
          ],
        },
        Policies: [
          {
            PolicyName: "invoke",
            PolicyDocument: {
              Statement: [{ Effect: "Allow", Action: "lambda:InvokeFunction", Resource: "*" }],
            },
          },
        ],
      },
    },
  };
}

/** Creates the method of a route such as `GET /items/{id}`. `ANY` is the method for all others of the path. */
export function routePaths(httpMethod: string, path: string, functionName: string): ApiPaths {
  const name = httpMethod === "ANY" ? "x-amazon-apigateway-any-method" : httpMethod.toLowerCase();
  const parameters = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, parameter]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const prefix = "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/";
  const operation = {
    parameters,
    responses: { "200": { description: "Whatever it answers" } },
    "x-amazon-apigateway-integration": {
      type: "aws_proxy",
      httpMethod: "POST",
      uri: { "Fn::Join": ["", [prefix, { "Fn::GetAtt": [functionName, "Arn"] }, "/invocations"]] },
      credentials: { "Fn::GetAtt": ["InvokeRole", "Arn"] },
    },
  };
  return { [path]: { [name]: operation } };
}

/** Creates a distribution whose default behavior forwards to `Api` without caching, with every viewer header but Host. */
export function distributionResources(config: Record<string, unknown> = {}): Resources {
  return {
    Distribution: {
      Type: "AWS::CloudFront::Distribution",
      Properties: {
        DistributionConfig: {
          Enabled: true,
          DefaultCacheBehavior: uncachedBehavior("api"),
          Origins: [apiOriginConfig()],
          ...config,
        },
      },
    },
  };
}

/** Creates the origin `api` for the stage `live` of `Api`. */
export function apiOriginConfig(config: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    Id: "api",
    DomainName: {
      "Fn::Join": [
        "",
        [{ Ref: "Api" }, ".execute-api.", { Ref: "AWS::Region" }, ".", { Ref: "AWS::URLSuffix" }],
      ],
    },
    OriginPath: "/live",
    CustomOriginConfig: { OriginProtocolPolicy: "https-only" },
    ...config,
  };
}

/** Creates a behavior with the managed policies CachingDisabled and AllViewerExceptHostHeader. */
export function uncachedBehavior(
  originId: string,
  config: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    TargetOriginId: originId,
    ViewerProtocolPolicy: "allow-all",
    AllowedMethods: ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"],
    CachePolicyId: "4135ea2d-6df8-44a3-9df3-4b5a84be39ad",
    OriginRequestPolicyId: "b689b0a8-53d0-40ab-baf2-68738e2966ac",
    ...config,
  };
}
