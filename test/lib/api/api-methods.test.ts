import { Validator } from "@seriousme/openapi-schema-validator";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { type OperationId, operationIds, routeOf } from "../../../functions/routes.ts";
import { originTimeoutPath } from "../../../lib/api/gateway-errors.ts";
import { documentsSource, handlerSource } from "../../../lib/bundle/function-source.ts";
import { apiDefinitionOf, givenHostingStack, givenStack, onlyResource, resourcesOf } from "../given-stack.ts";

const template = givenStack();
const definition = apiDefinitionOf(template);
const methods = methodsOf(template);
const handlers = new Map(methods.map(({ method, path, handler }) => [`${method} ${path}`, handler]));

const rows = operationIds.flatMap((id) => {
  const { path, alsoAt } = routeOf(id);
  return [path, ...(alsoAt ? [alsoAt.path] : [])].map((at) => ({ id, path: at, ...methodsOfRow(id) }));
});
const answered = rows.filter(
  ({ id }) =>
    ["function", "documents"].includes(routeOf(id).servedBy ?? "function") && id !== "show-not-found",
);
const byNotFound = rows.filter(({ id }) => routeOf(id).servedBy === "not-found");

function methodsOfRow(id: OperationId): { methods: string[] } {
  const { method, caller, otherMethods = [] } = routeOf(id);
  const isReadOfPrograms = method === "GET" && caller !== "session";
  return { methods: [method, ...otherMethods, ...(isReadOfPrograms ? ["HEAD"] : [])] };
}

describe("the API", () => {
  test.each(answered)("routes $methods $path to $id", ({ id, path, methods: wanted }) => {
    for (const method of wanted) expect(handlers.get(`${method} ${path}`)).toBe(handlerName(id));
  });

  test.each(byNotFound)(
    "responds to $methods $path with the 404 page until $id is built",
    ({ path, methods: wanted }) => {
      for (const method of wanted) expect(handlers.get(`${method} ${path}`)).toBe("index.showNotFound");
    },
  );

  test("has only the methods of its operations", () => {
    const ofRows = answered
      .concat(byNotFound)
      .flatMap((row) => row.methods.map((one) => `${one} ${row.path}`));

    expect([...handlers.keys()].filter((key) => !key.startsWith("ANY ")).toSorted()).toEqual(
      ofRows.toSorted(),
    );
  });

  test("has no method for paths that the bucket serves", () => {
    // A prefix of a longer path may have the 404 page, but no GET.
    for (const { id, path } of rows)
      if (routeOf(id).servedBy === "bucket") expect(definition.paths[path] ?? {}).not.toHaveProperty("get");
  });

  test("supports HEAD where programs use GET, and not on pages that need a sign-in", () => {
    expect(handlers.has("HEAD /api/me")).toBe(true);
    expect(handlers.has("GET /account")).toBe(true);
    expect(handlers.has("HEAD /account")).toBe(false);
  });

  test("responds to every other method and path with the 404 page, including prefixes of paths", () => {
    const paths = Object.keys(definition.paths);

    expect(paths).toContain("/");
    expect(paths).toContain("/{proxy+}");
    expect(paths).toContain("/api/auth");
    for (const path of paths) {
      const parent = path.slice(0, path.lastIndexOf("/")) || "/";
      expect(paths).toContain(parent);
      expect(handlers.get(`ANY ${path}`)).toBe("index.showNotFound");
    }
  });

  test("invokes its functions with one role, which only API Gateway may assume and which may invoke nothing else", () => {
    const roleIds = new Set(methods.map(({ credentials }) => credentials["Fn::GetAtt"][0]));
    const [roleId = ""] = roleIds;
    const { AssumeRolePolicyDocument, Policies, ...others } =
      resourcesOf(template, "AWS::IAM::Role")[roleId]?.Properties ?? {};

    expect([...roleIds]).toHaveLength(1);
    expect(others).toEqual({});
    expect(AssumeRolePolicyDocument.Statement).toEqual([
      { Action: "sts:AssumeRole", Effect: "Allow", Principal: { Service: "apigateway.amazonaws.com" } },
    ]);
    const [{ Effect, Action, Resource }, ...more] = Policies[0].PolicyDocument.Statement;
    expect([Effect, Action, more, Policies.length]).toEqual(["Allow", "lambda:InvokeFunction", [], 1]);
    const parts = Resource["Fn::Join"][1].map((part: string | { Ref: string }) =>
      typeof part === "string" ? part : `<${part.Ref}>`,
    );
    expect(parts.join("")).toBe(
      "arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:function:<AWS::StackName>_*",
    );
    expect(resourcesOf(template, "AWS::Lambda::Permission")).toEqual({});
  });

  test("serves the response for an origin timeout without a function", () => {
    const { security, "x-amazon-apigateway-integration": integration } =
      definition.paths[originTimeoutPath].get;

    expect(security).toEqual([{ edge: [] }]);
    expect(integration).toMatchObject({ type: "mock", contentHandling: "CONVERT_TO_TEXT" });
  });

  test("is regional, and passes bodies as bytes", () => {
    const { EndpointConfiguration, Parameters } = onlyResource(
      template,
      "AWS::ApiGateway::RestApi",
    ).Properties;

    expect(EndpointConfiguration).toEqual({ Types: ["REGIONAL"] });
    expect(Parameters).toEqual({ endpointConfigurationTypes: "REGIONAL" });
    expect(definition["x-amazon-apigateway-binary-media-types"]).toEqual(["*/*"]);
  });
});

describe("the API's definition", () => {
  test("requires the edge's API key for each method, including the 404 page", () => {
    const { securitySchemes } = definition.components;

    expect(securitySchemes).toEqual({ edge: { type: "apiKey", name: "x-api-key", in: "header" } });
    expect(definition["x-amazon-apigateway-api-key-source"]).toBe("HEADER");
    for (const { security } of methods) expect(security).toEqual([{ edge: [] }]);
  });

  test("is valid OpenAPI 3.0 by its schema", async () => {
    const { valid, errors } = await new Validator().validate(withoutReferences(definition));

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(definition.openapi).toBe("3.0.1");
  });

  test("declares each path parameter", () => {
    for (const [path, item] of Object.entries<Record<string, { parameters?: { name: string }[] }>>(
      definition.paths,
    )) {
      const inPath = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(item))
        expect(parameters.map(({ name }) => name)).toEqual(inPath);
    }
  });
});

describe("the API's deployment", () => {
  const deploymentId = (of: typeof template) =>
    Object.keys(resourcesOf(of, "AWS::ApiGateway::Deployment")).join();

  test("is replaced when the definition changes, because a deployment is a copy of it", () => {
    const changed = givenHostingStack();
    const [api] = changed.node.findAll().filter(({ node }) => node.path.endsWith("Api/Gateway/Resource"));
    // biome-ignore lint/suspicious/noExplicitAny: the CDK's internal class, whose body the test changes.
    const { body } = api as any;
    body.paths["/changed"] = body.paths["/login"];

    expect(deploymentId(Template.fromStack(changed))).not.toBe(deploymentId(template));
  });

  test("is not replaced when other settings change", () => {
    expect(deploymentId(givenStack({ tracing: true, alarmEmail: "operators@example.com" }))).toBe(
      deploymentId(template),
    );
  });

  test("is the stage's deployment, and the distribution's origin refers to the stage", () => {
    const [stageId, stage] = Object.entries(resourcesOf(template, "AWS::ApiGateway::Stage"))[0] ?? [];
    const { Origins } = onlyResource(template, "AWS::CloudFront::Distribution").Properties.DistributionConfig;

    expect(stage?.Properties).toMatchObject({
      StageName: "live",
      DeploymentId: { Ref: deploymentId(template) },
    });
    expect(Origins[0].OriginPath).toEqual({ "Fn::Join": ["", ["/", { Ref: stageId }]] });
  });
});

function handlerName(id: OperationId): string {
  const source = routeOf(id).servedBy === "documents" ? documentsSource : handlerSource(id);
  return `index.${source.exportName}`;
}

/** Returns every method of the definition with its function's handler. */
function methodsOf(of: typeof template) {
  const functions = resourcesOf(of, "AWS::Lambda::Function");
  return Object.entries<Record<string, object>>(apiDefinitionOf(of).paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([name, operation]) => {
      if (path === originTimeoutPath && name === "get") return [];
      const {
        security,
        "x-amazon-apigateway-integration": { type, httpMethod, uri, credentials },
        // biome-ignore lint/suspicious/noExplicitAny: API Gateway's shape.
      } = operation as any;
      expect([type, httpMethod]).toEqual(["aws_proxy", "POST"]);
      const target = Object.keys(functions).find((id) => JSON.stringify(uri).includes(`"${id}"`)) ?? "";
      return {
        method: name === "x-amazon-apigateway-any-method" ? "ANY" : name.toUpperCase(),
        path,
        handler: functions[target]?.Properties.Handler as string,
        credentials,
        security,
      };
    }),
  );
}

/** Replaces CloudFormation references with a placeholder text. */
function withoutReferences(value: unknown): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    inner !== null && typeof inner === "object" && Object.keys(inner).some((name) => name.startsWith("Fn::"))
      ? "arn"
      : inner,
  );
}
