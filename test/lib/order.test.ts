import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { givenStack, resourcesOf, type TemplateResource } from "./given-stack.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

/** The order in which CloudFormation creates resources, from "DependsOn" and references in "Ref", "Fn::GetAtt" and "Fn::Sub". */
class CreationOrder {
  readonly #resources: Readonly<Record<string, TemplateResource>>;

  constructor(template: Template) {
    this.#resources = template.toJSON().Resources;
  }

  /** Returns the resources that exist before CloudFormation creates this one. */
  before(id: string): Set<string> {
    const found = new Set<string>();
    const open = [id];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const one of this.#directlyBefore(next)) {
        if (!found.has(one)) open.push(one);
        found.add(one);
      }
    }
    return found;
  }

  #directlyBefore(id: string): string[] {
    const { DependsOn = [], Properties } = this.#resources[id] ?? {};
    return [...[DependsOn].flat(), ...referencesIn(Properties)].filter((one) => one in this.#resources);
  }
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { Ref, "Fn::GetAtt": attribute, "Fn::Sub": text } = value as Record<string, unknown>;
  return [
    ...(typeof Ref === "string" ? [Ref] : []),
    ...(Array.isArray(attribute) ? [String(attribute[0])] : []),
    ...(text === undefined
      ? []
      : [...JSON.stringify(text).matchAll(/\$\{([^.}]+)/g)].map(([, id = ""]) => id)),
    ...Object.values(value).flatMap(referencesIn),
  ];
}

describe.each(settingsOfEachKind)("a deployment with %s", (_, settings) => {
  const template = givenStack(settings);
  const order = new CreationOrder(template);
  const idsOf = (type: string) => Object.keys(resourcesOf(template, type));
  /** Returns each resource of a type with the resources of another type that exist before it. */
  const earlierOf = (type: string, earlier: string) =>
    idsOf(type).map((id) => ({ id, earlier: idsOf(earlier).filter((one) => order.before(id).has(one)) }));

  test("publishes edge functions after the API and the ingest server", () => {
    const endpoints = idsOf("AWS::Lambda::WebFunctionEndpoint");

    expect(idsOf("AWS::CloudFront::Function")).toHaveLength(4);
    for (const id of idsOf("AWS::CloudFront::Function"))
      expect([...order.before(id)]).toEqual(
        expect.arrayContaining([...idsOf("AWS::ApiGateway::Stage"), ...endpoints]),
      );
    // The stage's deployment contains the routes.
    for (const { earlier } of earlierOf("AWS::ApiGateway::Stage", "AWS::ApiGateway::Deployment"))
      expect(earlier).toHaveLength(1);
  });

  test("creates a schedule after its role and the role's permissions", () => {
    const schedules = resourcesOf(template, "AWS::Scheduler::Schedule");

    expect(Object.keys(schedules).length).toBeGreaterThan(0);
    for (const { DependsOn, Properties } of Object.values(schedules)) {
      const [role] = Properties.Target.RoleArn["Fn::GetAtt"];
      expect(DependsOn).toContain(role);
    }
  });

  test("lets buckets notify a queue after its policy accepts their messages", () => {
    const notifying = Object.entries(resourcesOf(template, "AWS::S3::Bucket")).filter(
      ([, { Properties }]) => Properties.NotificationConfiguration,
    );
    const policies = resourcesOf(template, "AWS::SQS::QueuePolicy");

    expect(notifying).toHaveLength(2);
    for (const [id, { Properties }] of notifying) {
      const [queue] = Properties.NotificationConfiguration.QueueConfigurations[0].Queue["Fn::GetAtt"];
      const before = order.before(id);
      const accepting = Object.entries(policies).filter(
        ([, policy]) => policy.Properties.Queues[0].Ref === queue,
      );
      expect(accepting.filter(([policy]) => before.has(policy))).toHaveLength(1);
    }
  });

  test("connects a worker with its source and dead-letter queue after its role can use them", () => {
    for (const type of ["AWS::Lambda::EventSourceMapping", "AWS::Lambda::EventInvokeConfig"]) {
      expect(idsOf(type).length).toBeGreaterThan(0);
      for (const id of idsOf(type)) {
        const before = order.before(id);
        const { Properties } = resourcesOf(template, type)[id] as TemplateResource;
        const { Role } =
          resourcesOf(template, "AWS::Lambda::Function")[Properties.FunctionName.Ref]?.Properties ?? {};
        expect([...before]).toContain(Role["Fn::GetAtt"][0]);
      }
    }
  });

  test("creates every role together with its permissions", () => {
    // A separate policy would be created after the role, and no resource would wait for it.
    expect(idsOf("AWS::IAM::Policy")).toEqual([]);
    for (const { Properties } of Object.values(resourcesOf(template, "AWS::IAM::ManagedPolicy")))
      expect(Properties.Roles).toBeUndefined();
  });

  test("gives API Gateway its role before it imports the API", () => {
    for (const { earlier } of earlierOf("AWS::ApiGateway::RestApi", "AWS::IAM::Role"))
      expect(earlier).toContainEqual(expect.stringMatching(/^ApiOperationsRole/));
  });

  test("creates a function after its log, its role and its network", () => {
    for (const [id, { Properties }] of Object.entries(resourcesOf(template, "AWS::Lambda::Function"))) {
      const before = order.before(id);
      expect([...before]).toContain(Properties.Role["Fn::GetAtt"][0]);
      expect([...before]).toContain(Properties.LoggingConfig.LogGroup.Ref);
      if (Properties.VpcConfig)
        for (const type of ["AWS::EC2::Subnet", "AWS::EC2::SecurityGroup"])
          expect(idsOf(type).every((one) => before.has(one))).toBe(true);
    }
  });

  test("creates a revision of the ingest server after Lambda can read its code, and then the endpoint", () => {
    for (const id of idsOf("AWS::Lambda::WebFunctionRevision"))
      expect([...order.before(id)]).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^IngestWebFunctionCodeBucketPolicy/),
          expect.stringMatching(/^IngestWebFunctionCodeCopy/),
          expect.stringMatching(/^IngestWebFunctionRole/),
        ]),
      );
    for (const { earlier } of earlierOf(
      "AWS::Lambda::WebFunctionEndpoint",
      "AWS::Lambda::WebFunctionRevision",
    ))
      expect(earlier).toHaveLength(1);
  });

  test("subscribes the alarms' topic to costs after it accepts their messages", () => {
    for (const type of ["AWS::CE::AnomalySubscription", "AWS::Budgets::Budget"])
      for (const { earlier } of earlierOf(type, "AWS::SNS::TopicPolicy")) expect(earlier).toHaveLength(1);
  });
});
