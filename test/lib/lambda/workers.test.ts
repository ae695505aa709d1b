import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseEventPattern } from "@dropleaf/local-cloud/events/event-pattern";
import { describe, expect, test } from "vitest";
import { limits } from "../../../functions/core/limits.ts";
import { auditEventKind, eventKinds } from "../../../functions/events/event.ts";
import { webhookLimits } from "../../../functions/events/webhook.ts";
import { keys } from "../../../functions/table/keys.ts";
import { type WorkerId, workerIds } from "../../../functions/workers.ts";
import { bundleFunctions } from "../../../lib/bundle/bundle.ts";
import { workerSource } from "../../../lib/bundle/function-source.ts";
import type { Settings } from "../../../lib/settings.ts";
import {
  dataBucketsOf,
  givenStack,
  onlyResource,
  resourcesOf,
  type TemplateResource,
} from "../given-stack.ts";

const webhooks = [{ url: "https://hooks.example.com/dropleaf" }];
const template = givenStack({ renders: true, webhooks, administrators: ["group:platform"] });
const functions = resourcesOf(template, "AWS::Lambda::Function");
const mappings = Object.values(resourcesOf(template, "AWS::Lambda::EventSourceMapping"));
const queues = resourcesOf(template, "AWS::SQS::Queue");

const pagesBelow = (prefix: string) => ({
  "Fn::Join": ["", [{ "Fn::GetAtt": ["StoragePages2B0B5787", "Arn"] }, `/${prefix}*`]],
});
const table = { "Fn::GetAtt": ["StorageTableB43FDCE7", "Arn"] };
const stream = { "Fn::GetAtt": ["StorageTableB43FDCE7", "StreamArn"] };
const objects = ["StoragePages2B0B5787", "StorageBlobs31FE9BCB"].map((bucket) => ({
  "Fn::Join": ["", [{ "Fn::GetAtt": [bucket, "Arn"] }, "/*"]],
}));
const deadLetters = "QueuesDeadLettersF0D5D2AD";
const webhooksQueue = Object.keys(queues).find((logicalId) => logicalId.startsWith("QueuesWebhooks")) ?? "";
const arnOf = (logicalId: string) => ({ "Fn::GetAtt": [logicalId, "Arn"] });
const itemsOf = (...families: string[]) => ({
  "ForAllValues:StringLike": { "dynamodb:LeadingKeys": families.map((family) => `${family}#*`) },
});

describe.each(workerIds)("%s", (id) => {
  const [logicalId, worker] = functionOf(id);

  test("has a separate function, on the runtime that it is bundled for", () => {
    expect(worker.Properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      MemorySize: id === "check-reader-way" ? 256 : 512,
      Timeout:
        {
          administer: 900,
          "render-page": 900,
          "index-drops": 900,
          "do-due-work": 600,
          "check-reader-way": 30,
        }[String(id)] ?? 60,
    });
    // The index writer works on a copy of the search index in /tmp.
    expect(worker.Properties.EphemeralStorage).toEqual(id === "index-drops" ? { Size: 2048 } : undefined);
    const sharing = Object.values(functions).filter(
      (one) => JSON.stringify(one.Properties.Role) === JSON.stringify(worker.Properties.Role),
    );
    expect(sharing).toHaveLength(1);
  });

  if (id === "check-reader-way") {
    test("can only write its log, and has no dead-letter queue", () => {
      expect(statementsOf(id)).toEqual([]);
      expect(
        Object.values(resourcesOf(template, "AWS::Lambda::EventInvokeConfig")).filter(
          ({ Properties }) => Properties.FunctionName.Ref === logicalId,
        ),
      ).toEqual([]);
    });
    return;
  }
  // These workers are invoked with a single event, not with a batch.
  if (["administer", "render-page", "index-drops", "do-due-work"].includes(id)) {
    test("is invoked asynchronously, with three attempts and a dead-letter queue", () => {
      const [config, ...others] = Object.values(
        resourcesOf(template, "AWS::Lambda::EventInvokeConfig"),
      ).filter(({ Properties }) => Properties.FunctionName.Ref === logicalId);

      expect(others).toEqual([]);
      expect(config?.Properties).toEqual({
        FunctionName: { Ref: logicalId },
        Qualifier: "$LATEST",
        MaximumRetryAttempts: 2,
        MaximumEventAgeInSeconds: 6 * 60 * 60,
        DestinationConfig: { OnFailure: { Destination: arnOf(deadLetters) } },
      });
      expect(mappings.filter(({ Properties }) => Properties.FunctionName.Ref === logicalId)).toEqual([]);
      expect(worker.Properties).not.toHaveProperty("ReservedConcurrentExecutions");
    });
    return;
  }
  test("reports which records of a batch failed", () => {
    expect(mappingOf(logicalId).Properties.FunctionResponseTypes).toEqual(["ReportBatchItemFailures"]);
  });
});

/** Allows this service's own events on the account's default bus only. */
const tellBus = {
  ...allow("events:PutEvents", {
    "Fn::Join": [
      "",
      [
        "arn:",
        { Ref: "AWS::Partition" },
        ":events:us-east-1:",
        { Ref: "AWS::AccountId" },
        ":event-bus/default",
      ],
    ],
  }),
  Condition: {
    StringEquals: { "events:source": "dropleaf", "events:detail-type": [...eventKinds] },
  },
};

const invalidate = allow("cloudfront:CreateInvalidation", {
  "Fn::Join": [
    "",
    [
      "arn:",
      { Ref: "AWS::Partition" },
      ":cloudfront::",
      { Ref: "AWS::AccountId" },
      ":distribution/",
      { Ref: "EdgeDistribution0060737B" },
    ],
  ],
});

describe("the drop tracker", () => {
  const [logicalId] = functionOf("track-drops");
  const { Properties: mapping } = mappingOf(logicalId);

  test("reads the stream beside the janitor, as the second and last reader of a shard", () => {
    expect(mapping).toMatchObject({
      EventSourceArn: stream,
      StartingPosition: "TRIM_HORIZON",
      BisectBatchOnFunctionError: true,
      MaximumRecordAgeInSeconds: 60 * 60,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      DestinationConfig: { OnFailure: { Destination: arnOf(deadLetters) } },
    });
    // A search must find a new drop within 5 s.
    expect(mapping.MaximumBatchingWindowInSeconds ?? 0).toBe(0);
    const readers = mappings.filter(({ Properties }) => Properties.StartingPosition !== undefined);
    expect(readers).toHaveLength(2);
  });

  test("is invoked for changes of drops, new comments and finished renders, and not for other items", () => {
    const filters: { Pattern: string }[] = mapping.FilterCriteria.Filters;
    const matches = filters.map(({ Pattern }) => parseEventPattern(Pattern, "the index's filter"));
    const callsFor = (event: object) => matches.some((isMatch) => isMatch(event));
    const change = (key: { pk: string; sk: string }, images: object) => ({
      dynamodb: { Keys: { pk: { S: key.pk }, sk: { S: key.sk } }, ...images },
    });
    const [image, drop] = [{ slug: { S: "abcdefg" } }, keys.drop("user", "abcdefg")];

    expect(callsFor({ eventName: "INSERT", ...change(drop, { NewImage: image }) })).toBe(true);
    expect(callsFor({ eventName: "MODIFY", ...change(drop, { OldImage: image, NewImage: image }) })).toBe(
      true,
    );
    expect(callsFor({ eventName: "REMOVE", ...change(drop, { OldImage: image }) })).toBe(true);
    const render = (state: string) =>
      change(keys.render("abcdefg", 1), { NewImage: { state: { S: state } } });
    for (const state of ["rendered", "failed"])
      expect(callsFor({ eventName: "MODIFY", ...render(state) })).toBe(true);
    for (const state of ["asked", "superseded"])
      expect(callsFor({ eventName: "MODIFY", ...render(state) })).toBe(false);
    const comment = change(keys.comment("abcdefg", 1, 1), { NewImage: { text: { S: "Well" } } });
    const thread = change(keys.thread("abcdefg", 1), { NewImage: { state: { S: "open" } } });
    expect(callsFor({ eventName: "INSERT", ...comment })).toBe(true);
    expect(callsFor({ eventName: "REMOVE", ...comment })).toBe(false);
    expect(callsFor({ eventName: "INSERT", ...thread })).toBe(false);
    const views = { OldImage: { viewCount: { N: "1" } }, NewImage: { viewCount: { N: "2" } } };
    for (const other of [
      change(keys.views("user", "abcdefg"), views),
      change(keys.version("abcdefg", 1), { NewImage: image }),
      change(keys.auditLine(0, "line", "user"), { NewImage: image }),
    ])
      expect(callsFor({ eventName: "MODIFY", ...other })).toBe(false);
  });

  test("is invoked for new audit entries that are events, within the quota of filters", () => {
    const withAudit = givenStack({ renders: true, auditEvents: true });
    const [worker] = Object.keys(resourcesOf(withAudit, "AWS::Lambda::Function")).filter((id) =>
      id.startsWith("WorkersIndexLibrary"),
    );
    const stream = Object.values(resourcesOf(withAudit, "AWS::Lambda::EventSourceMapping")).find(
      ({ Properties }) => Properties.FunctionName.Ref === worker,
    );
    const patterns: { Pattern: string }[] = stream?.Properties.FilterCriteria.Filters;
    const matches = patterns.map(({ Pattern }) => parseEventPattern(Pattern, "the tracker's filter"));
    const callsFor = (event: object) => matches.some((isMatch) => isMatch(event));
    const change = ({ pk, sk }: { pk: string; sk: string }) => ({
      dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, NewImage: { slug: { S: "abcdefg" } } },
    });
    const line = change(keys.auditLine(0, "line", "user"));

    expect(patterns).toHaveLength(5);
    expect(callsFor({ eventName: "INSERT", ...line })).toBe(true);
    expect(callsFor({ eventName: "REMOVE", ...line })).toBe(false);
    expect(callsFor({ eventName: "INSERT", ...change(keys.comment("abcdefg", 1, 1)) })).toBe(true);
    expect(callsFor({ eventName: "INSERT", ...change(keys.answer("abcdefg", 1)) })).toBe(true);
    expect(callsFor({ eventName: "INSERT", ...change(keys.thread("abcdefg", 1)) })).toBe(false);
    const mayPut = Object.values(resourcesOf(withAudit, "AWS::IAM::Policy"));
    expect(JSON.stringify(mayPut.concat(Object.values(resourcesOf(withAudit, "AWS::IAM::Role"))))).toContain(
      auditEventKind,
    );
    expect(JSON.stringify(template)).not.toContain(auditEventKind);
  });

  test("has the logical id of an earlier release, so that an upgrade keeps its position in the stream", () => {
    expect(logicalId).toMatch(/^WorkersIndexLibrary/);
  });

  test("can read drops, write its own items, send or postpone its own events, and nothing else", () => {
    expect(statementsOf("track-drops")).toEqual([
      allow(["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], stream),
      allow("dynamodb:ListStreams", "*"),
      allow("sqs:SendMessage", arnOf(deadLetters)),
      { ...allow("dynamodb:GetItem", table), Condition: itemsOf("SLUG", "USER") },
      { ...allow("dynamodb:BatchGetItem", table), Condition: itemsOf("USER") },
      { ...allow("dynamodb:BatchWriteItem", table), Condition: itemsOf("DUE", "LIBRARY") },
      { ...allow("dynamodb:UpdateItem", table), Condition: itemsOf("INDEX") },
      {
        ...allow(["dynamodb:GetItem", "dynamodb:UpdateItem"], table),
        Condition: itemsOf("EVENT"),
      },
      allow("sqs:SendMessage", arnOf("QueuesOrphans69FAC8CE")),
      allow("sqs:SendMessage", arnOf(webhooksQueue)),
      allow("lambda:InvokeFunction", arnOf(functionOf("index-drops")[0])),
      tellBus,
    ]);
  });
});

describe("the search index writer", () => {
  test("can read drops and pages, write the index, its queue and its lease, and delete no page or item", () => {
    expect(statementsOf("index-drops")).toEqual([
      allow("sqs:SendMessage", arnOf(deadLetters)),
      { ...allow(["dynamodb:BatchGetItem", "dynamodb:GetItem"], table), Condition: itemsOf("SLUG", "USER") },
      {
        ...allow(
          ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:Query", "dynamodb:UpdateItem"],
          table,
        ),
        Condition: itemsOf("INDEX"),
      },
      { ...allow("dynamodb:UpdateItem", table), Condition: itemsOf("LIMIT") },
      allow("s3:GetObject", pagesBelow("")),
      allow(["s3:DeleteObject", "s3:GetObject", "s3:PutObject"], pagesBelow("_search/")),
    ]);
  });
});

describe("the janitor", () => {
  const [logicalId] = functionOf("janitor");
  const { Properties: mapping } = mappingOf(logicalId);

  test("reads the table's stream from the beginning, with retries for an hour and a batching window of a second", () => {
    expect(mapping).toMatchObject({
      EventSourceArn: stream,
      StartingPosition: "TRIM_HORIZON",
      BisectBatchOnFunctionError: true,
      MaximumBatchingWindowInSeconds: 1,
      MaximumRecordAgeInSeconds: 60 * 60,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
      DestinationConfig: { OnFailure: { Destination: arnOf(deadLetters) } },
    });
  });

  test("is invoked for new and removed versions, removed drops, changed files, and newly restricted drops", () => {
    const patterns = mapping.FilterCriteria.Filters.map((filter: { Pattern: string }) =>
      JSON.parse(filter.Pattern),
    );

    expect(patterns).toEqual([
      {
        eventName: ["REMOVE"],
        dynamodb: {
          Keys: {
            sk: { S: [keys.drop("u", ""), keys.trashedDrop("u", "")].map(({ sk: prefix }) => ({ prefix })) },
          },
          OldImage: { slug: { S: [{ exists: true }] } },
        },
      },
      {
        eventName: ["REMOVE", "INSERT"],
        dynamodb: { Keys: { sk: { S: [{ prefix: "V#" }, { prefix: "RENDER#" }] } } },
      },
      {
        eventName: ["REMOVE", "MODIFY"],
        dynamodb: { Keys: { sk: { S: [{ prefix: keys.blob("u", "").sk }, { prefix: "RENDER#" }] } } },
      },
      {
        eventName: ["MODIFY"],
        dynamodb: {
          Keys: { sk: { S: [{ prefix: keys.drop("u", "").sk }] } },
          NewImage: {
            slug: { S: [{ exists: true }] },
            $or: [{ passcodeHash: { S: [{ exists: true }] } }, { expiresAtMs: { N: [{ exists: true }] } }],
          },
        },
      },
      {
        eventName: ["MODIFY"],
        dynamodb: {
          Keys: { sk: { S: [{ prefix: keys.drop("u", "").sk }] } },
          NewImage: {
            slug: { S: [{ exists: true }] },
            visibility: { S: [{ "anything-but": ["unlisted"] }] },
          },
        },
      },
    ]);
    expect(keys.version("s", 1).sk).toMatch(/^V#/);
    expect(keys.render("s", 1).sk).toMatch(/^RENDER#/);
  });

  test("is never invoked for audit entries, new or expired", () => {
    const filters: { Pattern: string }[] = mapping.FilterCriteria.Filters;
    const matches = filters.map(({ Pattern }) => parseEventPattern(Pattern, "the janitor's filter"));
    const callsFor = (event: object) => matches.some((isMatch) => isMatch(event));
    const { pk, sk } = keys.auditLine(Date.UTC(2026, 10, 22), "line", "user");
    const line = { pk: { S: pk }, sk: { S: sk }, slug: { S: "abcdefg" }, action: { S: "delete-drop" } };
    const { pk: Keys, ...drop } = { pk: keys.drop("user", "abcdefg"), slug: { S: "abcdefg" } };

    // The filters match a removed drop, so the checks below are meaningful.
    const removed = { Keys: { sk: { S: Keys.sk } }, OldImage: drop };
    expect(callsFor({ eventName: "REMOVE", dynamodb: removed })).toBe(true);
    for (const eventName of ["INSERT", "MODIFY", "REMOVE"]) {
      const dynamodb = { Keys: { pk: { S: pk }, sk: { S: sk } }, NewImage: line, OldImage: line };
      expect(callsFor({ eventName, dynamodb })).toBe(false);
    }
  });

  test("can remove parts of drops and files, invalidate the edge, and nothing else", () => {
    expect(statementsOf("janitor")).toEqual([
      allow(["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"], stream),
      allow("dynamodb:ListStreams", "*"),
      allow("sqs:SendMessage", arnOf(deadLetters)),
      {
        ...allow(
          ["dynamodb:BatchWriteItem", "dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:Query"],
          table,
        ),
        Condition: itemsOf("SLUG"),
      },
      {
        ...allow(["dynamodb:BatchWriteItem", "dynamodb:Query"], table),
        Condition: itemsOf("READS"),
      },
      { ...allow("dynamodb:PutItem", table), Condition: itemsOf("AUDIT") },
      {
        ...allow(["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"], table),
        Condition: itemsOf("USER"),
      },
      { ...allow("dynamodb:GetItem", table), Condition: itemsOf("NS") },
      { ...allow("dynamodb:UpdateItem", table), Condition: itemsOf("LIMIT") },
      allow("s3:DeleteObject", objects[0]),
      allow(["s3:DeleteObject", "s3:GetObject", "s3:PutObject"], objects[1]),
      allow("sqs:SendMessage", arnOf("QueuesOrphans69FAC8CE")),
      allow("lambda:InvokeFunction", arnOf(functionOf("render-page")[0])),
      invalidate,
    ]);
  });

  test("is not invoked for new versions, and has no function for them, if nothing is rendered and all are kept", () => {
    const without = givenStack({ renders: false });
    const patternsOf = (one: typeof without) =>
      JSON.stringify(onlyMapping(one, "Janitor").Properties.FilterCriteria.Filters);

    expect(patternsOf(without)).not.toContain("INSERT");
    expect(patternsOf(givenStack({ renders: false, keepVersions: 5 }))).toContain("INSERT");
    expect(Object.keys(resourcesOf(without, "AWS::SQS::Queue"))).toHaveLength(3);
    const handlers = Object.values(resourcesOf(without, "AWS::Lambda::Function")).map(
      ({ Properties }) => Properties.Handler,
    );
    expect(handlers.filter((handler) => /renderPage|drawPage/.test(handler))).toEqual([]);
  });
});

const networkActions = [
  "ec2:AssignPrivateIpAddresses",
  "ec2:CreateNetworkInterface",
  "ec2:DeleteNetworkInterface",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeSubnets",
  "ec2:UnassignPrivateIpAddresses",
];

describe("the worker for due work", () => {
  test("and the check of a reader's path are invoked on schedule, by a role that can do nothing else", () => {
    const schedules = Object.values(resourcesOf(template, "AWS::Scheduler::Schedule"));
    const arns = (["do-due-work", "check-reader-way"] as const).map((id) => arnOf(functionOf(id)[0]));
    const [roleId, ...otherRoles] = new Set(
      schedules.map(({ Properties }) => Properties.Target.RoleArn["Fn::GetAtt"][0]),
    );
    const role = resourcesOf(template, "AWS::IAM::Role")[roleId];

    expect(schedules.map(({ Properties }) => Properties)).toEqual(
      ["rate(15 minutes)", "rate(5 minutes)"].map((ScheduleExpression, index) =>
        expect.objectContaining({
          ScheduleExpression,
          FlexibleTimeWindow: { Mode: "OFF" },
          Target: expect.objectContaining({ Arn: arns[index], RetryPolicy: { MaximumRetryAttempts: 0 } }),
        }),
      ),
    );
    expect(otherRoles).toEqual([]);
    expect(role?.Properties.Policies[0].PolicyDocument.Statement).toEqual([
      { Effect: "Allow", Action: "lambda:InvokeFunction", Resource: arns },
    ]);
  });

  test("can trash and purge expired drops, remove finished work, send or postpone its own events, and nothing else", () => {
    expect(statementsOf("do-due-work")).toEqual([
      allow("sqs:SendMessage", arnOf(deadLetters)),
      { ...allow(["dynamodb:BatchWriteItem", "dynamodb:Query"], table), Condition: itemsOf("DUE") },
      {
        ...allow(
          ["DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"].map((action) => `dynamodb:${action}`),
          table,
        ),
        Condition: itemsOf("USER"),
      },
      { ...allow("dynamodb:PutItem", table), Condition: itemsOf("AUDIT") },
      { ...allow("dynamodb:Query", table), Condition: itemsOf("SLUG") },
      { ...allow(["dynamodb:GetItem", "dynamodb:UpdateItem"], table), Condition: itemsOf("EVENT") },
      allow("sqs:SendMessage", arnOf("QueuesOrphans69FAC8CE")),
      allow("sqs:SendMessage", arnOf(webhooksQueue)),
      tellBus,
    ]);
  });
});

describe("the renderer", () => {
  const [, worker] = functionOf("render-page");
  const network = resourcesOf(template, "AWS::EC2::VPC");
  const [drawPageId, drawPage] =
    Object.entries(functions).find(([, one]) => one.Properties.Handler === "index.drawPage") ?? [];

  test("renders one version at a time, unless the setting allows more", () => {
    const concurrencyOf = (settings: Settings) =>
      Object.values(resourcesOf(givenStack(settings), "AWS::Lambda::Function")).find(
        ({ Properties }) => Properties.Handler === "index.renderPage",
      )?.Properties.Environment.Variables.RENDER_CONCURRENCY;

    expect(concurrencyOf({ renders: true })).toBe("1");
    expect(concurrencyOf({ renders: true, renderConcurrency: 4 })).toBe("4");
  });

  test("renders pages of one owner per environment, by tenant isolation", () => {
    expect(drawPage?.Properties.TenancyConfig).toEqual({ TenantIsolationMode: "PER_TENANT" });
  });

  test("renders pages in a network that reaches only objects of the files' bucket", () => {
    const [vpcId = "", ...otherVpcs] = Object.keys(network);
    const only = (type: string) => {
      const [found, ...others] = Object.values(resourcesOf(template, type)).map(
        ({ Properties }) => Properties,
      );
      expect([type, others]).toEqual([type, []]);
      return found;
    };

    expect(otherVpcs).toEqual([]);
    for (const type of [
      "InternetGateway",
      "NatGateway",
      "VPCGatewayAttachment",
      "Route",
      "EgressOnlyInternetGateway",
    ])
      expect([type, resourcesOf(template, `AWS::EC2::${type}`)]).toEqual([type, {}]);
    expect(only("AWS::EC2::Subnet")).toMatchObject({ AvailabilityZoneId: "use1-az1" });
    expect(only("AWS::EC2::VPCEndpoint")).toMatchObject({
      VpcEndpointType: "Gateway",
      ServiceName: "com.amazonaws.us-east-1.s3",
      VpcId: { "Fn::GetAtt": [vpcId, "VpcId"] },
      RouteTableIds: [
        { "Fn::GetAtt": [Object.keys(resourcesOf(template, "AWS::EC2::RouteTable"))[0], "RouteTableId"] },
      ],
      PolicyDocument: {
        Statement: [{ ...allow("s3:GetObject", objects[1]), Principal: "*" }],
      },
    });
    const group = only("AWS::EC2::SecurityGroup");
    expect(group).not.toHaveProperty("SecurityGroupIngress");
    expect(group.SecurityGroupEgress).toMatchObject([{ IpProtocol: "tcp", FromPort: 443, ToPort: 443 }]);
    expect(drawPage?.Properties.VpcConfig).toEqual({
      SubnetIds: [{ "Fn::GetAtt": [Object.keys(resourcesOf(template, "AWS::EC2::Subnet"))[0], "SubnetId"] }],
      SecurityGroupIds: [
        { "Fn::GetAtt": [Object.keys(resourcesOf(template, "AWS::EC2::SecurityGroup"))[0], "GroupId"] },
      ],
    });
    expect(resourcesOf(givenStack({ renders: false }), "AWS::EC2::VPC")).toEqual({});
  });

  test("has time to render a page twice", () => {
    const { Timeout } = drawPage?.Properties ?? {};
    const startSeconds = 10;

    // The last version is started when three minutes are left.
    expect(2 * (Timeout + startSeconds)).toBeLessThan(180);
    expect(worker.Properties.Timeout).toBeGreaterThan(180);
  });

  test("has the browser in a separate function without environment, whose code can only write its log", () => {
    expect(drawPage?.Properties).toMatchObject({
      Architectures: ["x86_64"],
      MemorySize: 2048,
      Timeout: 60,
    });
    expect(drawPage?.Properties).not.toHaveProperty("Environment");
    expect(drawPage?.Properties).not.toHaveProperty("ReservedConcurrentExecutions");
    for (const settings of [{ renders: true }, { renders: true, tracing: true, dashboard: true }]) {
      const all = resourcesOf(givenStack(settings), "AWS::IAM::Role");
      const role = all[drawPage?.Properties.Role["Fn::GetAtt"][0]];
      expect(role?.Properties).not.toHaveProperty("ManagedPolicyArns");
      expect(role?.Properties.Policies[0].PolicyDocument.Statement).toEqual([
        allow(["logs:CreateLogStream", "logs:PutLogEvents"], { "Fn::GetAtt": [expect.any(String), "Arn"] }),
        // Lambda connects the function to its network. The function's own code is denied these actions.
        allow(networkActions, "*"),
        {
          ...allow(networkActions, "*"),
          Effect: "Deny",
          Condition: {
            ArnLike: {
              "lambda:SourceFunctionArn": {
                "Fn::Join": [
                  "",
                  [
                    "arn:",
                    { Ref: "AWS::Partition" },
                    ":lambda:us-east-1:",
                    { Ref: "AWS::AccountId" },
                    ":function:*",
                  ],
                ],
              },
            },
          },
        },
      ]);
    }
  });

  test("can read versions, pages and files, store pictures, invoke the browser, and nothing else", () => {
    expect(statementsOf("render-page")).toEqual([
      allow("sqs:SendMessage", arnOf(deadLetters)),
      {
        ...allow(["dynamodb:ConditionCheckItem", "dynamodb:GetItem", "dynamodb:PutItem"], table),
        Condition: itemsOf("SLUG"),
      },
      { ...allow(["dynamodb:BatchGetItem", "dynamodb:GetItem"], table), Condition: itemsOf("USER") },
      { ...allow("dynamodb:GetItem", table), Condition: itemsOf("NS") },
      { ...allow("dynamodb:UpdateItem", table), Condition: itemsOf("LIMIT") },
      {
        ...allow(["dynamodb:BatchWriteItem", "dynamodb:Query", "dynamodb:UpdateItem"], table),
        Condition: itemsOf("RENDERS"),
      },
      allow("s3:GetObject", objects[0]),
      allow("s3:GetObject", objects[1]),
      allow(["s3:DeleteObject", "s3:PutObject"], pagesBelow("cards/")),
      allow(["s3:DeleteObject", "s3:PutObject"], pagesBelow("_reports/")),
      allow("lambda:InvokeFunction", arnOf(drawPageId ?? "")),
    ]);
  });

  test("has the URLs of the pages it renders, with or without a domain", () => {
    const variablesOf = (settings: Settings) => {
      const all = Object.values(
        resourcesOf(givenStack({ ...settings, renders: true }), "AWS::Lambda::Function"),
      );
      return all.find(({ Properties }) => Properties.Handler === "index.renderPage")?.Properties.Environment
        .Variables;
    };

    expect(variablesOf({}).BASE_URL).toEqual({
      "Fn::Join": ["", ["https://", { "Fn::GetAtt": ["EdgeDistribution0060737B", "DomainName"] }]],
    });
    expect(variablesOf({})).not.toHaveProperty("BASE_DOMAIN");
    expect(variablesOf({ baseUrl: "http://localhost:8787" })).toMatchObject({
      BASE_URL: "http://localhost:8787",
      BASE_DOMAIN: "localhost:8787",
    });
  });
});

describe("the webhook sender", () => {
  const [logicalId, worker] = functionOf("deliver-webhook");

  test("receives ten messages at a time, in two executions, from its own queue with a dead-letter queue", () => {
    expect(mappingOf(logicalId).Properties).toMatchObject({
      EventSourceArn: arnOf(webhooksQueue),
      BatchSize: 10,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
    expect(mappingOf(logicalId).Properties.MaximumBatchingWindowInSeconds ?? 0).toBe(0);
    expect(queues[webhooksQueue]?.Properties).toMatchObject({
      RedrivePolicy: { deadLetterTargetArn: arnOf(deadLetters), maxReceiveCount: 5 },
    });
    expect(queues[webhooksQueue]?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(
      6 * worker.Properties.Timeout,
    );
    expect(webhookLimits.deliveryMs * 2).toBeLessThan(worker.Properties.Timeout * 1_000);
  });

  test("has a fiftieth of the account's concurrent executions", () => {
    const stack = givenStack({ webhooks, concurrentExecutions: 1_000 });

    expect(onlyMapping(stack, "DeliverWebhook").Properties.ScalingConfig).toEqual({ MaximumConcurrency: 20 });
  });

  test("can read and create its signing secret, postpone refused events, and nothing else", () => {
    expect(statementsOf("deliver-webhook")).toEqual([
      receiveFrom(webhooksQueue),
      allow("sqs:SendMessage", arnOf(webhooksQueue)),
      { ...allow(["dynamodb:GetItem", "dynamodb:UpdateItem"], table), Condition: itemsOf("WEBHOOK") },
    ]);
  });

  test("has the webhook URLs, like the functions that send events, and the template has no secret", () => {
    const knowing = Object.values(functions).filter((one) => one.Properties.Environment?.Variables?.WEBHOOKS);
    expect(knowing.map(({ Properties }) => Properties.Handler).sort()).toEqual([
      "index.deliverWebhook",
      "index.doDueWork",
      "index.followUp",
      "index.trackDrops",
    ]);
    for (const { Properties } of knowing)
      expect(JSON.parse(Properties.Environment.Variables.WEBHOOKS)).toEqual(webhooks);
    expect(JSON.stringify(template.toJSON())).not.toContain("whsec_");
  });

  test("does not exist without webhook URLs: the template has no queue and no function for it", () => {
    for (const settings of [{}, { webhooks: [] }]) {
      const text = JSON.stringify(givenStack({ renders: true, ...settings }).toJSON());
      expect(text).not.toMatch(/webhook/i);
    }
  });

  test("has its URLs within 4 KB of environment, at their maximum number and length", () => {
    const { endpointsMax, urlCharactersMax } = webhookLimits;
    const most = Array.from({ length: endpointsMax }, (_, index) => ({
      url: `https://hooks.example.com/${index}`.padEnd(urlCharactersMax, "x"),
      events: eventKinds,
    }));
    const all = Object.values(resourcesOf(givenStack({ webhooks: most }), "AWS::Lambda::Function"));
    for (const { Properties } of all)
      expect(JSON.stringify(Properties.Environment ?? {}).length).toBeLessThan(4 * 1024);
  });
});

describe("the second invalidation", () => {
  test("follows when no response from before the change can be in progress, at a function or at the edge", () => {
    const [logicalId] = functionOf("follow-up");
    const [, janitor] = functionOf("janitor");
    const timeouts = Object.entries(functions)
      .filter(([name]) => name.startsWith("Operations"))
      .map(([, { Properties }]) => Properties.Timeout);
    const origins: { Id: string; CustomOriginConfig?: { OriginReadTimeout?: number } }[] = onlyResource(
      template,
      "AWS::CloudFront::Distribution",
    ).Properties.DistributionConfig.Origins;
    // The ingest server responds to writes only, which the edge does not cache.
    const kept = origins.filter(({ Id }) => Id !== "ingest");
    const waits = kept.map(({ CustomOriginConfig }) => CustomOriginConfig?.OriginReadTimeout ?? 0);

    expect(mappingOf(logicalId).Properties.EventSourceArn).toEqual(arnOf("QueuesOrphans69FAC8CE"));
    expect(Math.max(...waits)).toBeGreaterThan(0);
    expect(Number(janitor.Properties.Environment.Variables.INVALIDATION_DELAY_SECONDS)).toBeGreaterThan(
      Math.max(...timeouts) + Math.max(...waits),
    );
  });

  test("merges many queued tags into one", () => {
    const [logicalId] = functionOf("follow-up");

    expect(mappingOf(logicalId).Properties).toMatchObject({
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 2,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

describe("the view counter", () => {
  test("receives many views in a batch, within seconds", () => {
    const [logicalId] = functionOf("count-views");

    expect(mappingOf(logicalId).Properties).toMatchObject({
      EventSourceArn: arnOf("QueuesViews94C83F4D"),
      BatchSize: 1000,
      MaximumBatchingWindowInSeconds: 2,
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  test("can count views and set their sampling, and nothing else", () => {
    expect(statementsOf("count-views")).toEqual([
      receiveFrom("QueuesViews94C83F4D"),
      {
        ...allow(
          ["dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:UpdateItem"],
          table,
        ),
        Condition: itemsOf("USER"),
      },
      { ...allow(["dynamodb:GetItem", "dynamodb:UpdateItem"], table), Condition: itemsOf("SLUG") },
    ]);
  });
});

describe("the orphan check", () => {
  test("gets each new object of both buckets when its item must exist", () => {
    const [logicalId] = functionOf("follow-up");
    const buckets = dataBucketsOf(template).map(([, bucket]) => bucket);

    expect(mappingOf(logicalId).Properties.EventSourceArn).toEqual(arnOf("QueuesOrphans69FAC8CE"));
    expect(queues.QueuesOrphans69FAC8CE?.Properties.DelaySeconds).toBe(900);
    expect(buckets).toHaveLength(2);
    for (const { Properties } of buckets) {
      expect(Properties.NotificationConfiguration).toEqual({
        QueueConfigurations: [{ Event: "s3:ObjectCreated:*", Queue: arnOf("QueuesOrphans69FAC8CE") }],
      });
    }
    expect(resourcesOf(template, "Custom::S3BucketNotifications")).toEqual({});
  });

  test("waits until the last attempt to complete an upload is over, because each stores the same object", () => {
    const delaySeconds = queues.QueuesOrphans69FAC8CE?.Properties.DelaySeconds;
    const timeouts = Object.entries(functions)
      .filter(([logicalId]) => logicalId.startsWith("Operations"))
      .map(([, { Properties }]) => Properties.Timeout);

    expect(limits.uploadSeconds + Math.max(...timeouts)).toBeLessThan(delaySeconds);
    expect(limits.uploadUrlSeconds).toBeLessThan(limits.uploadSeconds);
  });

  test("has the permissions of both stream readers, except on pages and the search index", () => {
    // The first three statements of both readers are about the stream and its dead-letter queue.
    const ofReaders = (["janitor", "track-drops"] as const).flatMap((id) => statementsOf(id).slice(3));
    const all = [receiveFrom("QueuesOrphans69FAC8CE"), ...ofReaders];
    const distinct = all.filter(
      (one, index) => index === all.findIndex((other) => isDeepStrictEqual(one, other)),
    );

    expect(statementsOf("follow-up")).toHaveLength(distinct.length);
    expect(statementsOf("follow-up")).toEqual(expect.arrayContaining(distinct));
    const ofPages = statementsOf("follow-up").filter((one) => JSON.stringify(one).includes("StoragePages"));
    expect(ofPages.map((one) => (one as { Action: unknown }).Action)).toEqual(["s3:DeleteObject"]);
  });
});

describe("queues", () => {
  test("are encrypted, and refuse messages without TLS", () => {
    const policies = Object.values(resourcesOf(template, "AWS::SQS::QueuePolicy"));

    expect(Object.keys(queues)).toHaveLength(4);
    for (const [logicalId, { Properties }] of Object.entries(queues)) {
      expect(Properties.SqsManagedSseEnabled).toBe(true);
      const policy = policies.find((one) =>
        one.Properties.Queues.some(({ Ref }: { Ref: string }) => Ref === logicalId),
      );
      expect(policy?.Properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } }),
      );
    }
  });

  test.each(["QueuesViews94C83F4D", "QueuesOrphans69FAC8CE"])(
    "%s moves a message after five receives to the dead-letter queue, which keeps it for two weeks",
    (id) => {
      expect(queues[id]?.Properties).toMatchObject({
        MessageRetentionPeriod: 4 * 24 * 60 * 60,
        RedrivePolicy: { deadLetterTargetArn: arnOf(deadLetters), maxReceiveCount: 5 },
      });
      expect(queues[id]?.Properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * 60);
      expect(queues[deadLetters]?.Properties.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
    },
  );

  test("accept S3's messages for this account's buckets only, before a bucket sends any", () => {
    const allowed = Object.entries(resourcesOf(template, "AWS::SQS::QueuePolicy")).flatMap(
      ([logicalId, { Properties }]) =>
        Properties.PolicyDocument.Statement.filter(
          (statement: { Effect: string }) => statement.Effect === "Allow",
        ).map((statement: object) => ({ logicalId, statement })),
    );

    expect(allowed).toEqual([
      {
        logicalId: "QueuesOrphansPolicy9D43409E",
        statement: {
          ...allow("sqs:SendMessage", arnOf("QueuesOrphans69FAC8CE")),
          Principal: { Service: "s3.amazonaws.com" },
          Condition: {
            ArnLike: {
              "aws:SourceArn": { "Fn::Join": ["", ["arn:", { Ref: "AWS::Partition" }, ":s3:::*"]] },
            },
            StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } },
          },
        },
      },
    ]);
    for (const [, { DependsOn }] of dataBucketsOf(template))
      expect(DependsOn).toEqual(["QueuesOrphansPolicy9D43409E"]);
  });
});

test("without rendering and webhooks, workers have at most seven of a new account's ten executions", () => {
  const ofChoice = [functionOf("render-page"), functionOf("deliver-webhook")].map(([logicalId]) => logicalId);
  const others = mappings.filter(({ Properties }) => !ofChoice.includes(Properties.FunctionName.Ref));
  const atOnce = others.map(
    ({ Properties }) => Properties.ScalingConfig?.MaximumConcurrency ?? Properties.ParallelizationFactor ?? 1,
  );
  const unbounded = mappings.filter(
    ({ Properties }) => Properties.EventSourceArn["Fn::GetAtt"][1] === "Arn" && !Properties.ScalingConfig,
  );

  expect(unbounded).toEqual([]);
  expect(atOnce.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(7);
});

test("workers' bundles contain the AWS clients that their grants need, and no others", {
  tags: "nightly",
}, async () => {
  const directory = mkdtempSync(join(tmpdir(), "dropleaf-workers-"));
  const { metafile } = await bundleFunctions(workerIds.map(workerSource), directory);
  rmSync(directory, { recursive: true });

  const clients = Object.fromEntries(
    Object.entries(metafile.outputs)
      .filter(([, { entryPoint }]) => entryPoint !== undefined)
      .map(([path, { inputs }]) => [
        basename(dirname(path)),
        [
          ...new Set(
            Object.keys(inputs).flatMap((path) => /@aws-sdk\/client-([\w-]+)/.exec(path)?.[1] ?? []),
          ),
        ].sort(),
      ]),
  );
  expect(clients).toEqual({
    janitor: ["cloudfront", "dynamodb", "lambda", "s3", "sqs"],
    "track-drops": ["dynamodb", "eventbridge", "lambda", "sqs"],
    "do-due-work": ["dynamodb", "eventbridge", "sqs"],
    "count-views": ["dynamodb"],
    "follow-up": ["cloudfront", "dynamodb", "eventbridge", "lambda", "s3", "sqs"],
    "deliver-webhook": ["dynamodb", "sqs"],
    "index-drops": ["dynamodb", "s3"],
    "render-page": ["dynamodb", "lambda", "s3"],
    administer: ["cloudfront", "dynamodb", "s3"],
    "check-reader-way": [],
  });
});

function functionOf(id: WorkerId): [logicalId: string, TemplateResource] {
  const handler = `index.${workerSource(id).exportName}`;
  const found = Object.entries(functions).filter(([, one]) => one.Properties.Handler === handler);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${id} has ${found.length} functions`);
  return found[0];
}

function onlyMapping(of: typeof template, name: string): TemplateResource {
  const all = Object.entries(resourcesOf(of, "AWS::Lambda::EventSourceMapping"));
  const found = all.find(([logicalId]) => logicalId.includes(name));
  if (found === undefined) throw new Error(`There is no mapping of ${name}.`);
  return found[1];
}

function mappingOf(functionId: string): TemplateResource {
  const found = mappings.filter((one) => one.Properties.FunctionName.Ref === functionId);
  if (found.length !== 1 || found[0] === undefined) {
    throw new Error(`${functionId} has ${found.length} event source mappings`);
  }
  return found[0];
}

/** Returns a worker's permissions without those for its log. */
function statementsOf(id: WorkerId): object[] {
  const [, worker] = functionOf(id);
  const role = resourcesOf(template, "AWS::IAM::Role")[worker.Properties.Role["Fn::GetAtt"][0]];
  const [log, ...statements] = role?.Properties.Policies[0].PolicyDocument.Statement ?? [];
  expect(log?.Action).toEqual(["logs:CreateLogStream", "logs:PutLogEvents"]);
  return statements;
}

function allow(Action: string | string[], Resource: unknown): object {
  return { Effect: "Allow", Action, Resource };
}

function receiveFrom(queue: string): object {
  return allow(["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"], arnOf(queue));
}
