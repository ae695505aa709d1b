import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { visitorConcurrencySum } from "../../lib/lambda/visitor-concurrency.ts";
import { outputNames } from "../../lib/output-names.ts";
import { dataFormat } from "../../lib/service-version.ts";
import type { Settings } from "../../lib/settings.ts";
import type { Finding, Verdict } from "../../scripts/operator/preflight/finding.ts";
import { type Plan, planDeployment } from "../../scripts/operator/preflight/plan.ts";
import { preflightPolicy, runPreflightChecks } from "../../scripts/operator/preflight/preflight.ts";
import { printFindings } from "../../scripts/operator/preflight/preflight-command.ts";
import { quickAndSlow } from "../support/quick-and-slow.ts";
import { FakeAccount, type FakeResponse, type FakeResponses } from "./fake-account.ts";

const account = new FakeAccount();
beforeAll(() => account.start());
afterAll(() => account.stop());
beforeEach(() => account.calls.clear());

const certificateArn = "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d";
const named: Settings = {
  baseUrl: "https://dropleaf-pages.example",
  hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "dropleaf-pages.example" },
};

// Each plan is a template, so it is created once.
const plain = planDeployment({});
const withZone = planDeployment(named);
const withCertificate = planDeployment({ ...named, certificateArn });
const elsewhere = planDeployment({ region: "eu-central-1" });
const withoutIngest = planDeployment({ ingest: "none", renders: false });
const withReserved = planDeployment({ visitorConcurrencyMax: 300 });
/** Returns the default plan with other settings, for checks that do not read the template. */
const planOf = (settings: Settings): Plan => ({ ...plain, settings });

const json = (body: object, status?: number): FakeResponse => ({ body, ...(status ? { status } : {}) });
const xml = (body: string, status?: number): FakeResponse => ({ body, ...(status ? { status } : {}) });
/** Returns an error of the AWS Query protocol, for CloudFormation and STS. */
const queryError = (code: string, message: string) =>
  xml(
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    400,
  );
const restError = (code: string, message: string, status = 403) =>
  xml(
    `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
    status,
  );
const ec2Error = (code: string, message: string) =>
  xml(
    `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors></Response>`,
    403,
  );
const jsonError = (type: string, message: string) => json({ __type: type, message, Message: message }, 400);

const list = (name: string, items: string) =>
  xml(
    `<${name}><MaxItems>100</MaxItems><Quantity>0</Quantity><IsTruncated>false</IsTruncated><Items>${items}</Items></${name}>`,
  );
const distribution = (alias: string) =>
  `<DistributionSummary><Id>E1</Id><Aliases><Quantity>1</Quantity><Items><CNAME>${alias}</CNAME></Items></Aliases></DistributionSummary>`;
const zone = (name: string, isPrivate = false) =>
  xml(
    `<GetHostedZoneResponse><HostedZone><Id>/hostedzone/Z0123456789ABCDEFGHIJ</Id><Name>${name}</Name><CallerReference>1</CallerReference>` +
      `<Config><PrivateZone>${isPrivate}</PrivateZone></Config></HostedZone><DelegationSet><NameServers>` +
      "<NameServer>ns-1.awsdns-01.org</NameServer></NameServers></DelegationSet></GetHostedZoneResponse>",
  );
const records = (items: string) =>
  xml(
    `<ListResourceRecordSetsResponse><ResourceRecordSets>${items}</ResourceRecordSets><IsTruncated>false</IsTruncated><MaxItems>10</MaxItems></ListResourceRecordSetsResponse>`,
  );
const certificate = (status: string, names: readonly string[]) =>
  json({
    Certificate: {
      CertificateArn: certificateArn,
      DomainName: names[0],
      SubjectAlternativeNames: names,
      Status: status,
    },
  });
const concurrency = (limit: number) =>
  json({
    AccountLimit: { ConcurrentExecutions: limit, UnreservedConcurrentExecutions: limit },
    AccountUsage: {},
  });

const webAccount = (maxTotalArmVCpus: number, maxTotalRateLimit: number) =>
  json({
    accountQuotas: {
      maxTotalArmVCpus,
      maxTotalRateLimit,
      maxEndpointsPerFunction: 10,
      maxRevisionsPerFunction: 50,
    },
    accountUsage: { functionCount: 0 },
  });
const vpcs = (count: number) =>
  xml(
    `<DescribeVpcsResponse><vpcSet>${"<item><vpcId>vpc-1</vpcId></item>".repeat(count)}</vpcSet></DescribeVpcsResponse>`,
  );
const roles = (count: number, quota: number) => {
  const entries = Object.entries({ Roles: count, RolesQuota: quota }).map(
    ([key, value]) => `<entry><key>${key}</key><value>${value}</value></entry>`,
  );
  return xml(
    `<GetAccountSummaryResponse><GetAccountSummaryResult><SummaryMap>${entries.join("")}</SummaryMap></GetAccountSummaryResult></GetAccountSummaryResponse>`,
  );
};

/** Responses of an account that meets every requirement. */
const good: FakeResponses = {
  "sts:GetCallerIdentity": xml(
    "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:user/ada</Arn><Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>",
  ),
  "cloudformation:DescribeStacks": queryError("ValidationError", "Stack with id Dropleaf does not exist"),
  "cloudformation:DescribeType": xml(
    "<DescribeTypeResponse><DescribeTypeResult><Type>RESOURCE</Type></DescribeTypeResult></DescribeTypeResponse>",
  ),
  "ssm:GetParameter": json({ Parameter: { Name: "/cdk-bootstrap/hnb659fds/version", Value: "28" } }),
  "lambda:GetAccountSettings": concurrency(1_000),
  "cloudfront:ListDistributions": list("DistributionList", distribution("other.example")),
  "cloudfront:ListCachePolicies": list("CachePolicyList", ""),
  "cloudfront:ListOriginRequestPolicies": list("OriginRequestPolicyList", ""),
  "cloudfront:ListResponseHeadersPolicies": list("ResponseHeadersPolicyList", ""),
  "cloudfront:ListFunctions": list("FunctionList", ""),
  "servicequotas:GetServiceQuota": json({ Quota: { Value: 20 } }),
  "lambda:ListFunctions": json({ Functions: [] }),
  "lambda:GetWebAccountSettings": webAccount(2_000, 100_000),
  "lambda:GetWebFunction": json({ __type: "ResourceNotFoundException", message: "" }, 404),
  "ec2:DescribeVpcs": vpcs(1),
  "iam:GetAccountSummary": roles(10, 1_000),
  "acm:ListCertificates": json({ CertificateSummaryList: [] }),
  "acm:DescribeCertificate": certificate("ISSUED", ["dropleaf-pages.example", "*.dropleaf-pages.example"]),
  "apigateway:GET": json({ item: [] }),
  "route53:GetHostedZone": zone("dropleaf-pages.example."),
  "route53:ListResourceRecordSets": records(""),
};

async function ask(
  plan: Plan,
  responses: FakeResponses = {},
  nameServers: () => Promise<string[]> = async () => ["ns-1.awsdns-01.org"],
): Promise<Finding[]> {
  account.responses = { ...good, ...responses };
  return runPreflightChecks(plan, { resolveNameServers: nameServers });
}

function of(findings: readonly Finding[], ...verdicts: Verdict[]): string[] {
  return findings
    .filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ about, says }) => `${about}: ${says}`);
}

test.each([
  [{}, "pages without a visibility are public: anyone on the internet can read them (defaultVisibility)"],
  [
    { defaultVisibility: "members" },
    "pages without a visibility are members: members can read them (defaultVisibility)",
  ],
  [
    { mostOpenVisibility: "unlisted" },
    "pages without a visibility are unlisted: anyone with the link can read them (defaultVisibility); none may be more open than unlisted",
  ],
] as const)("with %j the report says who can read pages", async (settings, says) => {
  const findings = await ask(planOf(settings));

  expect(of(findings, "well")).toContain(`Who can read: ${says}`);
});

test.each([
  ["without a domain", plain],
  ["with a zone", withZone],
  ["with a certificate", withCertificate],
  ["in another region", elsewhere],
  ["without a Web Function and a VPC", withoutIngest],
  ["with reserved concurrency", withReserved],
])("an account that meets every requirement passes, %s", async (_, plan) => {
  const findings = await ask(plan);

  expect(of(findings, "fails", "unchecked", "warns", "unknown")).toEqual([]);
  expect(printFindings(findings, { print: () => {}, report: () => {}, ask: async () => "" })).toBe(true);
});

test.each<[Settings, string[]]>([
  [{}, ["Rendering: @dropleaf/renderer is not installed"]],
  [{ renders: false }, []],
])("with %j the report says that the renderer is missing only if it is needed", async (settings, says) => {
  const missing = { problem: "@dropleaf/renderer is not installed", todo: "Install it." };
  account.responses = good;

  const findings = await runPreflightChecks(planOf(settings), {
    resolveNameServers: async () => ["ns-1.awsdns-01.org"],
    findRendererProblem: () => missing,
  });

  expect(of(findings, "fails")).toEqual(says);
});

const cachePolicy = (name: string) =>
  `<CachePolicySummary><Type>custom</Type><CachePolicy><Id>1</Id><CachePolicyConfig><Name>${name}</Name><MinTTL>0</MinTTL></CachePolicyConfig></CachePolicy></CachePolicySummary>`;
const [cachePolicyName = ""] = plain.namesOf("AWS::CloudFront::CachePolicy");

describe("the report names an obstacle to a first deployment:", () => {
  test.each<[string, Plan, FakeResponses, string]>([
    [
      "a missing CDK bootstrap",
      plain,
      { "ssm:GetParameter": jsonError("ParameterNotFound", "") },
      "CDK: not bootstrapped in us-east-1",
    ],
    [
      "an old CDK bootstrap",
      plain,
      { "ssm:GetParameter": json({ Parameter: { Value: "5" } }) },
      "CDK: bootstrapped with version 5, but version 6 is needed",
    ],
    [
      "reserved concurrency above the account's quota",
      withReserved,
      { "lambda:GetAccountSettings": concurrency(10) },
      `Functions at once: visitorConcurrencyMax would reserve ${visitorConcurrencySum(300)} of the 10 unreserved executions, but 100 must stay unreserved`,
    ],
    [
      "a team with fewer than 100 concurrent executions",
      planOf({ members: { emailDomains: ["example.com"] } }),
      { "lambda:GetAccountSettings": concurrency(99) },
      "Functions at once: the account has 99 concurrent executions, but a team (`members`) needs 100",
    ],
    [
      "functions of an earlier stack",
      plain,
      { "lambda:ListFunctions": json({ Functions: [{ FunctionName: "Dropleaf_view-drop" }] }) },
      "Functions: there are already Dropleaf_view-drop",
    ],
    [
      "a region without Web Functions",
      elsewhere,
      {
        "lambda:GetWebAccountSettings": restError(
          "AccessDeniedException",
          "Unable to determine service/operation name to be authorized",
        ),
      },
      "Web Functions: eu-central-1 has no Web Functions",
    ],
    [
      "an account without a quota for Web Functions",
      plain,
      { "lambda:GetWebAccountSettings": webAccount(0, 0) },
      "Web Functions: the account has 0 vCPUs and 0 requests a second for Web Functions",
    ],
    [
      "a Web Function of an earlier stack",
      plain,
      { "lambda:GetWebFunction": json({ functionName: "DropleafIngestWebFunction9685B168" }) },
      "Web Functions: there is already DropleafIngestWebFunction9685B168",
    ],
    [
      "a full quota of VPCs, which includes the default VPC",
      plain,
      { "ec2:DescribeVpcs": vpcs(5), "servicequotas:GetServiceQuota": json({ Quota: { Value: 5 } }) },
      "VPCs per Region: 5 of 5 are in use, and the stack adds 1",
    ],
    [
      "a full quota of roles",
      plain,
      { "iam:GetAccountSummary": roles(990, 1_000) },
      `Roles: 990 of 1000 are in use, and the stack adds ${plain.countOf("AWS::IAM::Role")}`,
    ],
    [
      "missing resource types of Web Functions",
      elsewhere,
      {
        "cloudformation:DescribeType": ({ body }) =>
          body.includes("WebFunction")
            ? queryError("TypeNotFoundException", "The type 'AWS::Lambda::WebFunction' cannot be found.")
            : (good["cloudformation:DescribeType"] as FakeResponse),
      },
      "Resource types: eu-central-1 does not know AWS::Lambda::WebFunction",
    ],
    [
      "a disabled region",
      elsewhere,
      {
        "sts:GetCallerIdentity": alternately(
          good["sts:GetCallerIdentity"] as FakeResponse,
          queryError("InvalidClientTokenId", ""),
        ),
      },
      "Region: the account cannot use eu-central-1",
    ],
    [
      "a stack with a failed rollback",
      plain,
      { "cloudformation:DescribeStacks": stackIn("ROLLBACK_FAILED") },
      "Stack: Dropleaf is ROLLBACK_FAILED",
    ],
    [
      "a full quota of policies",
      plain,
      { "servicequotas:GetServiceQuota": json({ Quota: { Value: 1 } }) },
      "Cache policies: 0 of 1 are in use, and the stack adds 2",
    ],
    [
      "a policy of an earlier stack",
      plain,
      { "cloudfront:ListCachePolicies": list("CachePolicyList", cachePolicy(cachePolicyName)) },
      `Cache policies: there are already ${cachePolicyName}`,
    ],
    [
      "a domain name of another distribution",
      withZone,
      { "cloudfront:ListDistributions": list("DistributionList", distribution("*.dropleaf-pages.example")) },
      "CloudFront: other distributions already use names of the service: *.dropleaf-pages.example (E1)",
    ],
    [
      "a certificate that is not issued",
      withCertificate,
      { "acm:DescribeCertificate": certificate("PENDING_VALIDATION", ["dropleaf-pages.example"]) },
      `Certificate: ${certificateArn} is PENDING_VALIDATION`,
    ],
    [
      "a certificate without owners' hosts",
      withCertificate,
      { "acm:DescribeCertificate": certificate("ISSUED", ["dropleaf-pages.example"]) },
      `Certificate: ${certificateArn} does not cover *.dropleaf-pages.example`,
    ],
    [
      "a missing certificate",
      withCertificate,
      { "acm:DescribeCertificate": jsonError("ResourceNotFoundException", "") },
      `Certificate: there is no ${certificateArn}`,
    ],
    [
      "a missing zone",
      withZone,
      { "route53:GetHostedZone": restError("NoSuchHostedZone", "", 404) },
      "Zone dropleaf-pages.example: there is no zone Z0123456789ABCDEFGHIJ",
    ],
    [
      "a zone with another name",
      withZone,
      { "route53:GetHostedZone": zone("example.com.") },
      "Zone dropleaf-pages.example: Z0123456789ABCDEFGHIJ is the zone example.com.",
    ],
    [
      "a private zone",
      withZone,
      { "route53:GetHostedZone": zone("dropleaf-pages.example.", true) },
      "Zone dropleaf-pages.example: Z0123456789ABCDEFGHIJ is private",
    ],
    [
      "existing records",
      withZone,
      {
        "route53:ListResourceRecordSets": records(
          "<ResourceRecordSet><Name>\\052.dropleaf-pages.example.</Name><Type>CNAME</Type></ResourceRecordSet>",
        ),
      },
      "Zone dropleaf-pages.example: *.dropleaf-pages.example has records already: CNAME",
    ],
  ])("%s", async (_, plan, responses, expected) => {
    const findings = await ask(plan, responses);

    expect(of(findings, "fails").join("\n")).toContain(expected);
    expect(
      findings.filter(({ verdict }) => verdict === "fails").every(({ todo }) => todo !== undefined),
    ).toBe(true);
    expect(printFindings(findings, { print: () => {}, report: () => {}, ask: async () => "" })).toBe(false);
  });

  test("a hosted zone without delegation", async () => {
    const registrar = await ask(withZone, {}, async () => ["ns1.registrar.example"]);
    const nowhere = await ask(withZone, {}, () =>
      Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
    );

    expect(of(registrar, "fails")[0]).toContain(
      "the domain is delegated to ns1.registrar.example, not to this zone's",
    );
    expect(of(nowhere, "fails")[0]).toContain("the domain is delegated nowhere");
  });

  test("credentials that AWS refuses", async () => {
    const findings = await ask(plain, {
      "sts:GetCallerIdentity": queryError("ExpiredToken", "The token is expired"),
    });

    expect(of(findings, "fails")).toEqual([
      "Credentials: AWS refuses the credentials: ExpiredToken: The token is expired",
    ]);
  });
});

test("an account that is new to CloudFront does not pass, because no read shows if it is verified", async () => {
  const findings = await ask(plain, { "cloudfront:ListDistributions": list("DistributionList", "") });

  expect(of(findings, "unknown")[0]).toMatch(
    /^CloudFront: only the first distribution shows whether AWS has verified the account/,
  );
});

test("a quota of 10 concurrent executions is a warning", async () => {
  const findings = await ask(plain, { "lambda:GetAccountSettings": concurrency(10) });

  expect(of(findings, "warns")[0]).toMatch(/^Functions at once: the account has 10/);
  expect(of(findings, "fails")).toEqual([]);
});

test("quotas of Web Functions below the ingest server's maximum are a warning", async () => {
  const findings = await ask(plain, { "lambda:GetWebAccountSettings": webAccount(4, 100) });

  expect(of(findings, "warns")).toEqual([
    "Web Functions: the account has 4 vCPUs and 100 requests a second for Web Functions; with fewer than 8 and 100, the server for large bodies accepts fewer bodies at once",
  ]);
  expect(of(findings, "fails")).toEqual([]);
});

test("other functions that the API's role would cover are a warning", async () => {
  const others = ["Dropleaf_other", "DropleafStaging_view-drop"].map((FunctionName) => ({ FunctionName }));

  const findings = await ask(plain, { "lambda:ListFunctions": json({ Functions: others }) });

  expect(of(findings, "warns")).toEqual([
    "Functions: the stack's API could also invoke Dropleaf_other, because of their names",
  ]);
});

test("Web Functions and VPCs are checked only if the settings use them", async () => {
  await ask(withoutIngest);

  for (const name of ["lambda:GetWebAccountSettings", "lambda:GetWebFunction", "ec2:DescribeVpcs"])
    expect(account.calls).not.toContain(name);
});

test("the settings' concurrency is compared with the account's quota", async () => {
  const with1000 = planOf({ concurrentExecutions: 1_000 });
  const with2000 = planOf({ concurrentExecutions: 2_000 });

  expect(of(await ask(plain), "well").join()).toContain("with concurrentExecutions: 1000 in the settings");
  expect(of(await ask(with1000), "well").join()).not.toContain("concurrentExecutions");
  expect(of(await ask(with2000), "warns")).toContain(
    "Functions at once: the account has 1000 concurrent executions, but the setting concurrentExecutions is 2000",
  );
});

test("the two executions of rendering are reported if pages are rendered", async () => {
  const new10 = { "lambda:GetAccountSettings": concurrency(10) };
  const [rendering] = of(await ask(planOf({ renders: true }), new10), "warns");
  const [other] = of(await ask(planOf({ renders: false }), new10), "warns");

  expect(rendering).toContain(
    "has 10 concurrent executions, 2 of them in use while pages are rendered; the service",
  );
  expect(other).not.toContain("rendered");
});

test("an existing stack keeps its names and needs no further quota", async () => {
  const findings = await ask(withZone, {
    "cloudformation:DescribeStacks": stackIn("UPDATE_COMPLETE"),
    "servicequotas:GetServiceQuota": json({ Quota: { Value: 0 } }),
    "cloudfront:ListDistributions": list("DistributionList", distribution("dropleaf-pages.example")),
  });

  expect(of(findings, "fails", "unchecked")).toEqual([]);
  expect(of(findings, "warns")[0]).toContain("this would be an update");
});

test.each([
  [
    "in this version's format",
    String(dataFormat),
    "well",
    /^Data: version .* can read the data of the deployed version 7\.0\.0$/,
  ],
  [
    "in a later format",
    String(dataFormat + 1),
    "fails",
    /^Data: the deployed version 7\.0\.0 writes data format \d+, but version/,
  ],
] as const)("the report on a stack with data %s is %s: %s", async (_, format, verdict, says) => {
  const outputs = { [outputNames.version]: "7.0.0", [outputNames.dataFormat]: format };

  const findings = await ask(plain, { "cloudformation:DescribeStacks": stackIn("UPDATE_COMPLETE", outputs) });

  expect(of(findings, verdict).filter((line) => line.startsWith("Data"))).toEqual([
    expect.stringMatching(says),
  ]);
});

describe("an existing stack", () => {
  const ofPages = { [outputNames.pagesBucket]: "pages" };
  const withIndexOf = (entries: number) =>
    ask(plain, {
      "cloudformation:DescribeStacks": stackIn("UPDATE_COMPLETE", ofPages),
      "s3:GetObject": json({ segments: [{ key: "_search/1.sqlite", entries, bytes: 4e8, level: 2 }] }),
    });

  test.each([
    [39_999, "well", "Search: the index has 39,999 entries, 400 MB"],
    [40_000, "warns", "Search: the index has 40,000 entries, 400 MB; search gets slow above 50,000 drops"],
  ] as const)(
    "gets a report on the size of its search index: with %i entries, %s",
    async (entries, verdict, says) => {
      const found = of(await withIndexOf(entries), verdict).filter((line) => line.startsWith("Search"));

      expect(found).toEqual([expect.stringContaining(says)]);
    },
  );

  test("does not pass if its search index cannot be read", async () => {
    const denied = restError("AccessDenied", "Access Denied");
    const findings = await ask(plain, {
      "cloudformation:DescribeStacks": stackIn("UPDATE_COMPLETE", ofPages),
      "s3:GetObject": denied,
    });

    expect(of(findings, "unchecked")).toEqual([expect.stringContaining("Search: could not be checked")]);
  });
});

const asked = Object.keys(good).filter((name) => name !== "sts:GetCallerIdentity");
const serviceOf = (name: string) => name.split(":")[0] ?? "";
const firstOfServices = new Set(new Map(asked.toReversed().map((name) => [serviceOf(name), name])).values());

for (const { cases, options } of quickAndSlow(asked, (name) => firstOfServices.has(name)))
  test.each(cases)(
    "if %s is denied, the check is reported as not done, and the preflight does not pass",
    options,
    async (name) => {
      const message = `User: arn:aws:iam::111122223333:user/ada is not authorized to perform: ${name}`;
      const service = serviceOf(name);
      const denied = ["cloudformation"].includes(service)
        ? queryError("AccessDenied", message)
        : ["cloudfront", "route53", "iam"].includes(service)
          ? restError("AccessDenied", message)
          : service === "ec2"
            ? ec2Error("UnauthorizedOperation", message)
            : jsonError("AccessDeniedException", message);

      const plan = name === "acm:DescribeCertificate" ? withCertificate : withZone;
      const findings = await ask(plan, { [name]: denied });

      expect(account.calls).toContain(name);
      expect(of(findings, "unchecked").join("\n")).toMatch(
        /could not be checked: (AccessDenied|UnauthorizedOperation)/,
      );
      expect(printFindings(findings, { print: () => {}, report: () => {}, ask: async () => "" })).toBe(false);
    },
  );

test("the documented policy allows only the calls of the preflight, which all read", {
  tags: "slow",
}, async () => {
  for (const plan of [withZone, withCertificate]) await ask(plan);
  await ask(plain, {
    "cloudformation:DescribeStacks": stackIn("UPDATE_COMPLETE", { [outputNames.pagesBucket]: "pages" }),
    "s3:GetObject": json({ segments: [] }),
  });

  const { Statement } = preflightPolicy() as { Statement: { Action: string[] }[] };
  const actions = Statement.flatMap(({ Action }) => Action).sort();
  expect(actions).toEqual([...account.calls].filter((name) => name !== "sts:GetCallerIdentity").sort());
  for (const action of actions) expect(action).toMatch(/^[a-z0-9]+:(Get|List|Describe|GET$)/);
});

function stackIn(status: string, outputs: Readonly<Record<string, string>> = {}): FakeResponse {
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return xml(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>Dropleaf</StackName><StackStatus>${status}</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime><Outputs>${members.join("")}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
}

/** Returns one response for the first call and another for later calls. */
function alternately(first: FakeResponse, next: FakeResponse): () => FakeResponse {
  let calls = 0;
  return () => (calls++ === 0 ? first : next);
}
