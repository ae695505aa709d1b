import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { mcpTools } from "../../../functions/mcp/tools.ts";
import { grantsOf, type OperationId, routeOf } from "../../../functions/routes.ts";
import type { Grants } from "../../../functions/table/grants.ts";
import {
  documentOperationIds,
  documentsSource,
  type FunctionSource,
  handlerSource,
  servedOperationIds,
} from "../../../lib/bundle/function-source.ts";
import { type AnsweringFunctionId, sharedRoleOf, sharedRoles } from "../../../lib/lambda/shared-roles.ts";
import { givenStack, resourcesOf, type TemplateResource, variablesOf } from "../given-stack.ts";
import { type RoleStatement, splitConditions, statementsOfFunction } from "./function-statements.ts";

const template = givenStack();
const functions = operationsOf(template, "AWS::Lambda::Function");
const roles = operationsOf(template, "AWS::IAM::Role");

const table = { "Fn::GetAtt": ["StorageTableB43FDCE7", "Arn"] };
const identityProviderParameter = {
  "Fn::Join": [
    "",
    [
      "arn:",
      { Ref: "AWS::Partition" },
      ":ssm:us-east-1:",
      { Ref: "AWS::AccountId" },
      ":parameter/dropleaf/Dropleaf/identity-provider",
    ],
  ],
};
const viewsQueue = { "Fn::GetAtt": ["QueuesViews94C83F4D", "Arn"] };
const objectsOf = (bucket: string, prefix = "", ending = "") => ({
  "Fn::Join": ["", [{ "Fn::GetAtt": [bucket, "Arn"] }, `/${prefix}*${ending}`]],
});

const functionNamed = (id: string) => ({
  "Fn::Join": [
    "",
    [
      "arn:",
      { Ref: "AWS::Partition" },
      ":lambda:us-east-1:",
      { Ref: "AWS::AccountId" },
      ":function:",
      { Ref: "AWS::StackName" },
      `_${id}`,
    ],
  ],
});

/** docs/cost.md, "The memory of each function". This copy prevents accidental changes. */
const memoryMegabytesDefault = 512;

/** All functions that respond to requests, with the grants of their rows. */
const answering = [
  ...servedOperationIds.map((id) => ({
    id,
    source: handlerSource(id) as FunctionSource,
    grants: grantsOf(id),
    memoryMegabytes: routeOf(id).memoryMegabytes ?? memoryMegabytesDefault,
  })),
  {
    id: documentsSource.id,
    source: documentsSource,
    grants: documentOperationIds.flatMap(grantsOf),
    memoryMegabytes: memoryMegabytesDefault,
  },
];

/** Returns an operation's own grants and the common grants of its role. */
function grantsInRole(id: AnsweringFunctionId, grants: readonly Grants[]): readonly Grants[] {
  return [...grants, ...(sharedRoleOf(id).together ?? []).flatMap(grantsOf)];
}

describe.each(answering)("$id", ({ id, source, grants, memoryMegabytes }) => {
  const lambda = functionFrom(source);

  test("has a separate function, on the runtime that it is bundled for", () => {
    expect(lambda.Properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      MemorySize: memoryMegabytes,
    });
    expect(lambda.Properties.Timeout).toBeLessThan(29);
    const keepsIndex = grants.some(({ searchIndex }) => searchIndex !== undefined);
    expect(lambda.Properties.EphemeralStorage).toEqual(keepsIndex ? { Size: 2048 } : undefined);
  });

  test("has only the permissions of its grants and its role's common grants, and writes the operations' log", () => {
    const role = roleOf(lambda);

    expect(role.Properties).not.toHaveProperty("ManagedPolicyArns");
    expect(role.Properties.Policies).toHaveLength(1);
    const [log, ...statements] = statementsOfFunction(lambda, roles);
    expect(log).toEqual({
      Effect: "Allow",
      Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
      Resource: { "Fn::GetAtt": [lambda.Properties.LoggingConfig.LogGroup.Ref, "Arn"] },
    });
    // CDK may merge statements that differ only in their actions or resources.
    expect(permissionsIn(statements)).toEqual(
      permissionsIn(grantsInRole(id, grants).flatMap(expectedStatements)),
    );
  });

  test("gets only the environment that its grants need", () => {
    expect(Object.keys(variablesOf(lambda)).sort()).toEqual(
      [...new Set(grants.flatMap(expectedVariables))].sort(),
    );
  });
});

describe("the operations' functions", () => {
  test("are one for each operation with a handler, and one for all documents", () => {
    expect(Object.keys(functions)).toHaveLength(servedOperationIds.length + 1);
    expect(documentOperationIds.length).toBeGreaterThan(5);
  });

  test("have one role for each group, and one for each function without a group", () => {
    const roleIds = answering.map(({ source }) => functionFrom(source).Properties.Role["Fn::GetAtt"][0]);
    const groupIds = answering.map(({ id }) => sharedRoleOf(id).id);

    for (const [index, one] of groupIds.entries()) {
      for (const [other, another] of groupIds.entries())
        expect(roleIds[index] === roleIds[other]).toBe(one === another);
    }
    expect(Object.keys(roles).toSorted()).toEqual([...new Set(roleIds)].toSorted());
  });

  test("are in at most one group each", () => {
    const grouped = sharedRoles.flatMap(({ together = [], apart = [] }) => [...together, ...apart]);

    expect(grouped.toSorted()).toEqual([...new Set(grouped)].toSorted());
  });

  test.each(
    sharedRoles.flatMap(({ together = [] }) =>
      together.length > 0 ? [[together.join(", "), together] as const] : [],
    ),
  )(
    "share grants only among callers of one kind that all read or all write, and no object writes: %s",
    (_, group) => {
      const kinds = group.map((id) => {
        const { caller, grants, resource } = routeOf(id);
        const isOfVisitors = caller === "anyone";
        return [caller, grants.audit === true, isOfVisitors ? resource : ""].join(" ");
      });
      const { pages, cards, reports, words, searchIndex, archives, blobs, stagedFiles, restrictedFiles } =
        Object.assign({}, ...group.flatMap(grantsOf)) as Grants;

      expect(new Set(kinds).size).toBe(1);
      const objects = [
        pages,
        cards,
        reports,
        words,
        searchIndex,
        archives,
        blobs,
        stagedFiles,
        restrictedFiles,
      ];
      for (const actions of objects) expect(actions ?? ["GetObject"]).toEqual(["GetObject"]);
    },
  );

  test.each(
    sharedRoles.flatMap(({ id, together = [], apart = [] }) =>
      together.length > 0 ? [[id, together, apart as readonly OperationId[]] as const] : [],
    ),
  )("get the common grants of their role only with callers of the same kind: %s", (_, together, apart) => {
    const kindsOf = (ids: readonly OperationId[]) =>
      new Set(ids.map((id) => `${routeOf(id).caller} ${routeOf(id).grants.audit === true}`));

    expect(kindsOf([...together, ...apart])).toEqual(kindsOf(together));
  });

  test("are named by the stack and their operation, which one resource of the API's role covers", () => {
    const names = answering.map(({ source }) => functionFrom(source).Properties.FunctionName);

    expect(names).toEqual(
      answering.map(({ id }) => ({ "Fn::Join": ["", [{ Ref: "AWS::StackName" }, `_${id}`]] })),
    );
    // Other functions of the stack have generated names.
    const others = Object.entries(resourcesOf(template, "AWS::Lambda::Function")).filter(
      ([id]) => !(id in functions),
    );
    for (const [, { Properties }] of others) expect(Properties).not.toHaveProperty("FunctionName");
  });

  test("called by tools are invoked by the MCP server, which has no other permissions", () => {
    const { Properties } = roleOf(functionFrom(handlerSource("call-mcp")));
    const statements: { Action: string | string[]; Resource: unknown }[] =
      Properties.Policies[0].PolicyDocument.Statement;

    expect(statements.map(({ Action }) => Action)).toEqual([
      ["logs:CreateLogStream", "logs:PutLogEvents"],
      "lambda:InvokeFunction",
    ]);
    const invoked = mcpTools.map(({ operation }) => JSON.stringify(functionNamed(operation)));
    const allowed = [statements[1]?.Resource].flat().map((resource) => JSON.stringify(resource));
    expect(allowed.toSorted()).toEqual(invoked.toSorted());
  });

  test("write one log, which no other role can write", () => {
    const [logGroup, ...more] = Object.keys(operationsOf(template, "AWS::Logs::LogGroup"));

    expect(more).toEqual([]);
    for (const { Properties } of Object.values(functions))
      expect(Properties.LoggingConfig.LogGroup).toEqual({ Ref: logGroup });
    for (const [id, role] of Object.entries(resourcesOf(template, "AWS::IAM::Role"))) {
      if (id in roles) continue;
      expect(JSON.stringify(role.Properties)).not.toContain(JSON.stringify([logGroup, "Arn"]));
    }
  });

  test("have their roles' inline policies only, without * in an action or as a resource", () => {
    expect(resourcesOf(template, "AWS::IAM::Policy")).toEqual({});
    const statements = Object.values(roles).flatMap(
      (role) => role.Properties.Policies[0].PolicyDocument.Statement,
    );
    for (const { Action, Resource } of statements) {
      for (const action of [Action].flat()) expect(action).not.toContain("*");
      for (const resource of [Resource].flat()) expect(resource).not.toBe("*");
    }
  });

  test("can add entries to the audit trail, and neither read, change nor remove any", () => {
    const everyRole = Object.values(resourcesOf(template, "AWS::IAM::Role"));
    const statements = everyRole.flatMap(({ Properties }) =>
      (Properties.Policies ?? []).flatMap((policy: PolicyResource) => policy.PolicyDocument.Statement),
    );
    const onTheTrail = statements.filter(({ Action, Condition }) => {
      const isOfTable = [Action].flat().some((action) => action.startsWith("dynamodb:"));
      const families = Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
      // A statement without leading keys covers every partition, except those on the stream.
      const isBound = families !== undefined || JSON.stringify(Action).includes("Stream");
      return (
        isOfTable && (!isBound || [families].flat().some((family) => /^(AUDIT|[^A-Z])/.test(family ?? "")))
      );
    });

    expect(onTheTrail.length).toBeGreaterThan(5);
    for (const { Action, Condition } of onTheTrail) {
      expect(Action).toBe("dynamodb:PutItem");
      expect(splitConditions(Condition).conditions).toEqual({
        "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["AUDIT#*"] },
      });
    }
  });

  test("may write audit entries if they write for a known caller", () => {
    const writing = servedOperationIds.filter((id) => {
      const { caller, method, grants, resource } = routeOf(id);
      const mayWrite = grants.table?.actions.some((action) =>
        /^(Put|Update|Delete|BatchWrite)Item$/.test(action),
      );
      return mayWrite && (caller === "token" ? method !== "GET" : resource === "auth" || method !== "GET");
    });

    const withoutLine = writing.filter((id) => routeOf(id).grants.audit === undefined);

    expect(withoutLine).toEqual([
      // The caller is not known yet.
      "start-sign-in",
      // Counts wrong codes.
      "show-verify-page",
      "start-browser-sign-in",
      // Updates its token's last use. The audit entry follows when the folder is published.
      "start-folder",
      // Counts wrong passcodes.
      "unlock-drop",
    ]);
  });

  test("of sign-in use GitHub if no identity provider is set", () => {
    expect(
      JSON.parse(functionOf("authorize-sign-in").Properties.Environment.Variables.IDENTITY_PROVIDER),
    ).toEqual({
      kind: "oauth2",
      authorizationEndpoint: "https://github.com/login/oauth/authorize",
      tokenEndpoint: "https://github.com/login/oauth/access_token",
      userinfoEndpoint: "https://api.github.com/user",
      emailsEndpoint: "https://api.github.com/user/emails",
      scope: "read:user user:email",
      fields: { id: "id", username: "login" },
    });
  });

  test("of sign-in get an OpenID Connect issuer with the claims of its profile scope", () => {
    const withIssuer = givenStack({ identityProvider: { kind: "oidc", issuer: "https://id.example.com" } });

    const variables = functionOf("complete-sign-in", operationsOf(withIssuer, "AWS::Lambda::Function"));
    expect(JSON.parse(variables.Properties.Environment.Variables.IDENTITY_PROVIDER)).toEqual({
      kind: "oidc",
      issuer: "https://id.example.com",
      scope: "openid profile email",
      fields: { id: "sub", username: "preferred_username" },
    });
  });
});

interface PolicyResource {
  readonly PolicyDocument: { readonly Statement: readonly RoleStatement[] };
}

/** Returns the operations' resources of one type. */
function operationsOf(stack: Template, type: string): Record<string, TemplateResource> {
  const all = Object.entries(resourcesOf(stack, type));
  return Object.fromEntries(all.filter(([logicalId]) => logicalId.startsWith("Operations")));
}

function functionOf(id: OperationId, among = functions): TemplateResource {
  return functionFrom(handlerSource(id), among);
}

function functionFrom({ id, exportName }: FunctionSource, among = functions): TemplateResource {
  const found = Object.values(among).filter((one) => one.Properties.Handler === `index.${exportName}`);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${id} has ${found.length} functions`);
  return found[0];
}

function roleOf(lambda: TemplateResource): TemplateResource {
  const role = roles[lambda.Properties.Role["Fn::GetAtt"][0]];
  if (role === undefined) throw new Error("the function's role is not in the template");
  return role;
}

/** Writes a list of one action as a string, as CloudFormation does. */
function oneOrList(actions: readonly string[], service: string): string | string[] {
  const named = actions.map((action) => `${service}:${action}`);
  return named.length === 1 ? (named[0] ?? "") : named;
}

/** Serializes a statement with sorted names and lists. */
function inOrder(statement: object): string {
  return JSON.stringify(statement, (name, value) => {
    const isSet = ["Action", "dynamodb:LeadingKeys"].includes(name) && Array.isArray(value);
    if (isSet) return value.toSorted();
    if (typeof value !== "object" || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** A policy statement. CDK writes equal statements of several rows once. */
interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: object | readonly object[];
}

/** Splits statements into one permission per action and resource, without duplicates and sorted. */
function permissionsIn(statements: readonly object[]): string[] {
  const single = (statements as readonly Statement[]).flatMap((statement) =>
    [statement.Action]
      .flat()
      .flatMap((Action) =>
        [statement.Resource].flat().map((Resource) => inOrder({ ...statement, Action, Resource })),
      ),
  );
  return [...new Set(single)].toSorted();
}

function expectedStatements(grants: Grants): object[] {
  const allow = (Action: string | string[], Resource: object) => ({ Effect: "Allow", Action, Resource });
  return [
    ...(grants.table
      ? [
          {
            ...allow(oneOrList(grants.table.actions, "dynamodb"), table),
            Condition: {
              "ForAllValues:StringLike": {
                "dynamodb:LeadingKeys": grants.table.items.map((item) => `${item}#*`),
              },
            },
          },
        ]
      : []),
    ...(grants.audit
      ? [
          {
            ...allow("dynamodb:PutItem", table),
            Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["AUDIT#*"] } },
          },
        ]
      : []),
    // The read trail is off by default, so no function can add to it.
    ...(grants.readTrail === "Query"
      ? [
          {
            ...allow("dynamodb:Query", table),
            Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["READS#*"] } },
          },
        ]
      : []),
    ...(grants.folderKeys
      ? [
          {
            ...allow(["dynamodb:GetItem", "dynamodb:PutItem"], table),
            Condition: { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["FOLDERKEY#*"] } },
          },
        ]
      : []),
    ...(grants.operations?.map((id) => allow("lambda:InvokeFunction", functionNamed(id))) ?? []),
    ...(grants.folders
      ? [allow(oneOrList(grants.folders, "s3"), objectsOf("StoragePages2B0B5787", "_files/"))]
      : []),
    ...(grants.pages ? [allow(oneOrList(grants.pages, "s3"), objectsOf("StoragePages2B0B5787"))] : []),
    ...(grants.cards
      ? [allow(oneOrList(grants.cards, "s3"), objectsOf("StoragePages2B0B5787", "cards/"))]
      : []),
    ...(grants.reports
      ? [allow(oneOrList(grants.reports, "s3"), objectsOf("StoragePages2B0B5787", "_reports/"))]
      : []),
    ...(grants.words
      ? [allow(oneOrList(grants.words, "s3"), objectsOf("StoragePages2B0B5787", "_words/"))]
      : []),
    ...(grants.searchIndex
      ? [allow(oneOrList(grants.searchIndex, "s3"), objectsOf("StoragePages2B0B5787", "_search/"))]
      : []),
    ...(grants.archives
      ? [allow(oneOrList(grants.archives, "s3"), objectsOf("StoragePages2B0B5787", "_files/", ".zip"))]
      : []),
    ...(grants.blobs ? [allow(oneOrList(grants.blobs, "s3"), objectsOf("StorageBlobs31FE9BCB"))] : []),
    ...(grants.stagedFiles
      ? [allow(oneOrList(grants.stagedFiles, "s3"), objectsOf("StorageBlobs31FE9BCB", "staging/"))]
      : []),
    ...(grants.restrictedFiles
      ? [allow(oneOrList(grants.restrictedFiles, "s3"), objectsOf("StorageBlobs31FE9BCB", "_restricted/"))]
      : []),
    ...(grants.secrets ?? []).map((name) =>
      name !== "identityProvider"
        ? {
            ...allow(name === "newCookieKey" ? "dynamodb:UpdateItem" : "dynamodb:GetItem", table),
            Condition: {
              "ForAllValues:StringLike": {
                "dynamodb:LeadingKeys": [name === "scimTokens" ? "SCIMTOKEN#*" : "KEY#*"],
              },
            },
          }
        : allow("ssm:GetParameter", identityProviderParameter),
    ),
    ...(grants.queues ?? []).map(() => allow("sqs:SendMessage", viewsQueue)),
  ];
}

function expectedVariables(grants: Grants): string[] {
  const {
    table: usesTable,
    pages,
    cards,
    folders,
    reports,
    searchIndex,
    blobs,
    stagedFiles,
    restrictedFiles,
  } = grants;
  const { secrets = [], queues = [], settings = [] } = grants;
  return [
    ...(usesTable || secrets.includes("cookieKey") ? ["TABLE_NAME"] : []),
    ...(pages || cards || folders || reports || searchIndex ? ["PAGES_BUCKET"] : []),
    ...(blobs || stagedFiles || restrictedFiles ? ["BLOBS_BUCKET"] : []),
    ...(queues.includes("views") ? ["VIEWS_QUEUE_URL"] : []),
    ...(settings.includes("renders") ? ["RENDERS"] : []),
    ...(grants.operations ? ["OPERATION_FUNCTION_PREFIX"] : []),
    ...(secrets.includes("identityProvider") ? ["IDENTITY_PROVIDER_PARAMETER", "IDENTITY_PROVIDER"] : []),
  ];
}
