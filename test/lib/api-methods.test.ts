import { describe, expect, test } from "vitest";
import { type OperationId, operationIds, routeOf } from "../../functions/contract/routes.ts";
import { handlerSource } from "../../lib/function-source.ts";
import { givenStack, resourcesOf } from "./given-stack.ts";

const template = givenStack();
const handlers = handlersByMethodAndPath();

const rows = operationIds.flatMap((id) => {
  const { path, alsoAt } = routeOf(id);
  return [path, ...(alsoAt ? [alsoAt.path] : [])].map((at) => ({ id, path: at, ...methodsOf(id) }));
});
const bySelf = rows.filter(
  ({ id }) => (routeOf(id).servedBy ?? "function") === "function" && id !== "answer-not-found",
);
const byNotFound = rows.filter(({ id }) => routeOf(id).servedBy === "not-found");

function methodsOf(id: OperationId): { methods: string[] } {
  const { method, caller, refusedMethods = [] } = routeOf(id);
  return { methods: method === "GET" && caller === "anyone" ? ["GET", "HEAD"] : [method, ...refusedMethods] };
}

describe("the API", () => {
  test.each(bySelf)("leads $methods $path to $id", ({ id, path, methods }) => {
    for (const method of methods) expect(handlers.get(`${method} ${path}`)).toBe(handlerName(id));
  });

  test.each(byNotFound)(
    "answers $methods $path with the 404 page until $id is built",
    ({ path, methods }) => {
      for (const method of methods) expect(handlers.get(`${method} ${path}`)).toBe("index.answerNotFound");
    },
  );

  test("has no method for what the bucket serves", () => {
    const paths = [...handlers.keys()].map((key) => key.split(" ")[1]);

    for (const { id, path } of rows) if (routeOf(id).servedBy === "bucket") expect(paths).not.toContain(path);
  });

  test("does not answer HEAD where GET needs a token", () => {
    expect(handlers.has("GET /api/me")).toBe(true);
    expect(handlers.has("HEAD /api/me")).toBe(false);
  });

  test("answers every other method and address with the 404 page", () => {
    const paths = new Set([...handlers.keys()].map((key) => key.slice(key.indexOf(" ") + 1)));

    expect(paths).toContain("/");
    expect(paths).toContain("/{proxy+}");
    expect(paths).toContain("/api/auth");
    for (const path of paths) expect(handlers.get(`ANY ${path}`)).toBe("index.answerNotFound");
  });

  test("and nobody else may call the functions", () => {
    const permissions = Object.values(resourcesOf(template, "AWS::Lambda::Permission"));

    expect(permissions.map(({ Properties }) => Properties.FunctionName["Fn::GetAtt"][0]).sort()).toEqual(
      // The workers pull what they work through.
      Object.keys(resourcesOf(template, "AWS::Lambda::Function"))
        .filter((logicalId) => logicalId.startsWith("Operations"))
        .sort(),
    );
    for (const { Properties } of permissions) {
      expect(Properties.Principal).toBe("apigateway.amazonaws.com");
      expect(JSON.stringify(Properties.SourceArn)).toContain('{"Ref":"ApiRestApiE35FEAFE"},"/*/*/*"');
    }
  });

  test("is regional, passes bodies as bytes, and is deployed where the edge looks for it", () => {
    template.hasResourceProperties("AWS::ApiGateway::RestApi", {
      EndpointConfiguration: { Types: ["REGIONAL"] },
      BinaryMediaTypes: ["*/*"],
    });
    template.hasResourceProperties("AWS::ApiGateway::Stage", { StageName: "live" });
  });
});

function handlerName(id: OperationId): string {
  return `index.${handlerSource(id).exportName}`;
}

/** `GET /api/me` → `index.getMe`, followed through the template's resources. */
function handlersByMethodAndPath(): Map<string, string> {
  const resources = resourcesOf(template, "AWS::ApiGateway::Resource");
  const functions = resourcesOf(template, "AWS::Lambda::Function");
  const pathOf = (id: string | undefined): string => {
    const resource = id === undefined ? undefined : resources[id]?.Properties;
    return resource ? `${pathOf(resource.ParentId.Ref)}/${resource.PathPart}` : "";
  };
  return new Map(
    Object.values(resourcesOf(template, "AWS::ApiGateway::Method")).map(({ Properties }) => {
      const uri = JSON.stringify(Properties.Integration.Uri);
      const target = Object.keys(functions).find((id) => uri.includes(`"${id}"`)) ?? "";
      const path = pathOf(Properties.ResourceId.Ref) || "/";
      return [`${Properties.HttpMethod} ${path}`, functions[target]?.Properties.Handler];
    }),
  );
}
