import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { cacheTagHeader } from "../../functions/core/environment.ts";
import {
  probeCloudFront,
  probeComment,
  probePolicyPrefix,
} from "../../scripts/operator/preflight/cloudfront-probe.ts";
import { planDeployment } from "../../scripts/operator/preflight/plan.ts";
import { probePolicy } from "../../scripts/operator/preflight/preflight.ts";
import { FakeAccount, type FakeResponse, type FakeResponses } from "./fake-account.ts";

const account = new FakeAccount();
beforeAll(() => account.start());
afterAll(() => account.stop());

/** A distribution of the account, with the fields that a probe reads. */
interface FakeDistribution {
  readonly comment: string;
  readonly enabled: boolean;
  /** Number of reads until CloudFront has deployed the distribution. */
  looksLeft: number;
}

const distributions = new Map<string, FakeDistribution>();
/** Names of policies by kind and id, and the bodies of the requests that created them. */
const policies = new Map<string, string>();
const created: string[] = [];
const plan = planDeployment({});
const policyCount = [
  "AWS::CloudFront::CachePolicy",
  "AWS::CloudFront::OriginRequestPolicy",
  "AWS::CloudFront::ResponseHeadersPolicy",
].reduce((sum, type) => sum + plan.countOf(type), 0);

beforeEach(() => {
  distributions.clear();
  policies.clear();
  created.length = 0;
  account.calls.clear();
});

const error = (code: string, message: string, status = 403): FakeResponse => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});
const idIn = ({ pathname }: URL) => pathname.split("/").at(-1) ?? "";
const textIn = (body: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(body)?.[1];

/** Returns CloudFront's responses for one kind of policy, as in its API reference. */
function policyResponses(kind: string, plural: string): FakeResponses {
  const itemOf = (id: string, name: string) =>
    `<${kind}><Id>${id}</Id><${kind}Config><Name>${name}</Name></${kind}Config></${kind}>`;
  const keyOf = (url: URL) => `${kind}/${idIn(url)}`;
  return {
    [`cloudfront:List${plural}`]: () => {
      const items = [...policies]
        .filter(([key]) => key.startsWith(`${kind}/`))
        .map(([key, name]) => `<${kind}Summary>${itemOf(key.split("/")[1] ?? "", name)}</${kind}Summary>`);
      const list = `${kind}List`;
      return {
        body: `<${list}><MaxItems>100</MaxItems><Quantity>${items.length}</Quantity><Items>${items.join("")}</Items></${list}>`,
      };
    },
    [`cloudfront:Create${kind}`]: ({ body }) => {
      created.push(body);
      const id = String(created.length);
      const name = textIn(body, "Name") ?? "";
      policies.set(`${kind}/${id}`, name);
      return { status: 201, headers: { etag: "1" }, body: itemOf(id, name) };
    },
    [`cloudfront:Get${kind}`]: ({ url }) => ({
      headers: { etag: `tag of ${idIn(url)}` },
      body: itemOf(idIn(url), policies.get(keyOf(url)) ?? ""),
    }),
    [`cloudfront:Delete${kind}`]: ({ url, headers }) => {
      if (headers["if-match"] !== `tag of ${idIn(url)}`) return error("PreconditionFailed", "", 412);
      policies.delete(keyOf(url));
      return { status: 204, body: "" };
    },
  };
}

/** CloudFront's responses for distributions and policies, as in its API reference. */
const cloudFront: FakeResponses = {
  ...policyResponses("CachePolicy", "CachePolicies"),
  ...policyResponses("OriginRequestPolicy", "OriginRequestPolicies"),
  ...policyResponses("ResponseHeadersPolicy", "ResponseHeadersPolicies"),
  "cloudfront:ListDistributions": () => {
    const items = [...distributions].map(
      ([id, { comment, enabled }]) =>
        `<DistributionSummary><Id>${id}</Id><Comment>${comment}</Comment><Enabled>${enabled}</Enabled></DistributionSummary>`,
    );
    return {
      body: `<DistributionList><MaxItems>100</MaxItems><IsTruncated>false</IsTruncated><Quantity>${items.length}</Quantity><Items>${items.join("")}</Items></DistributionList>`,
    };
  },
  "cloudfront:CreateDistribution": ({ body }) => {
    created.push(body);
    const comment = textIn(body, "Comment") ?? "";
    distributions.set("ENEW", { comment, enabled: textIn(body, "Enabled") === "true", looksLeft: 2 });
    return { status: 201, headers: { etag: "1" }, body: "<Distribution><Id>ENEW</Id></Distribution>" };
  },
  "cloudfront:GetDistribution": ({ url }) => {
    const found = distributions.get(idIn(url));
    if (found === undefined) return error("NoSuchDistribution", "", 404);
    const status = found.looksLeft-- > 0 ? "InProgress" : "Deployed";
    return {
      headers: { etag: `tag of ${idIn(url)}` },
      body: `<Distribution><Id>${idIn(url)}</Id><Status>${status}</Status></Distribution>`,
    };
  },
  "cloudfront:DeleteDistribution": ({ url, headers }) => {
    const found = distributions.get(idIn(url));
    if (headers["if-match"] !== `tag of ${idIn(url)}`) return error("PreconditionFailed", "", 412);
    if (found === undefined || found.enabled || found.looksLeft > 0)
      return error("DistributionNotDisabled", "", 409);
    distributions.delete(idIn(url));
    return { status: 204, body: "" };
  },
};

async function probe(responses: FakeResponses = {}, onLine: (line: string) => void = () => {}) {
  account.responses = { ...cloudFront, ...responses };
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    onLine(line);
  };
  const findings = await probeCloudFront(plan, { print, report: print, ask: async () => "" }, 1);
  return { lines, findings: findings.map(({ verdict, says }) => `${verdict}: ${says}`), all: findings };
}

const acceptedPolicies = [
  `well: CloudFront accepts ${policyCount} of ${policyCount}`,
  "well: the probe's policies are deleted",
];
const verified = "well: AWS has verified the account, and accepts cache tags";

test("a verified account keeps no resources of the probe, and the command announces the probe", async () => {
  const { lines, findings } = await probe();

  expect(findings).toEqual([...acceptedPolicies, verified, "well: ENEW is deleted"]);
  expect(policies.size).toBe(0);
  expect(lines[0]).toMatch(/^Creating a disabled CloudFront distribution, .* This costs nothing/);
  expect([...distributions.keys()]).toEqual([]);
  expect(probePolicy()).toMatchObject({ Statement: [{ Action: [...account.calls].sort() }] });
});

test("an unverified account is reported in AWS's words, with what to do", async () => {
  const message = "Your account must be verified before you can add new CloudFront resources.";

  const { findings, all } = await probe({ "cloudfront:CreateDistribution": error("AccessDenied", message) });

  expect(findings).toEqual([...acceptedPolicies, `fails: AWS has not verified the account: ${message}`]);
  expect(all.at(-1)?.todo).toContain("AWS Support");
});

test("a missing permission is not reported as an unverified account", async () => {
  const message = "User: ada is not authorized to perform: cloudfront:CreateDistribution";

  const { findings, all } = await probe({ "cloudfront:CreateDistribution": error("AccessDenied", message) });

  expect(findings).toEqual([
    ...acceptedPolicies,
    `unchecked: could not be checked: AccessDenied: ${message}`,
  ]);
  expect(all.at(-1)?.todo).toContain("cloudfront:CreateDistribution");
});

test("only disabled probes of this run and earlier runs are deleted from an account with distributions", async () => {
  distributions.set("EOWN", { comment: "shop", enabled: false, looksLeft: 0 });
  distributions.set("EON", { comment: probeComment, enabled: true, looksLeft: 0 });
  distributions.set("EOLD", { comment: probeComment, enabled: false, looksLeft: 1 });

  policies.set("CachePolicy/own", "shop");
  policies.set("CachePolicy/old", `${probePolicyPrefix}1`);

  const { findings } = await probe();

  expect(findings).toEqual([...acceptedPolicies, verified, "well: EOLD is deleted", "well: ENEW is deleted"]);
  expect([...distributions.keys()]).toEqual(["EOWN", "EON"]);
  expect([...policies.keys()]).toEqual(["CachePolicy/own"]);
});

test("the probed policies are the stack's under other names, and the distribution has its cache tags", async () => {
  await probe();

  const [distributionBody = ""] = created.filter((body) => body.includes("<DistributionConfig"));
  const all = created.join("\n");
  expect(created).toHaveLength(policyCount + 1);
  expect(distributionBody).toContain(
    `<CacheTagConfig><HeaderName>${cacheTagHeader}</HeaderName></CacheTagConfig>`,
  );
  // The API requires the length of each list of the template.
  expect(all).toContain(
    "<HeaderBehavior>allExcept</HeaderBehavior><Headers><Quantity>2</Quantity><Items><Name>Host</Name><Name>Expect</Name></Items></Headers>",
  );
  expect(all).toMatch(
    /<RemoveHeadersConfig><Quantity>1<\/Quantity><Items><ResponseHeadersPolicyRemoveHeader>/,
  );
  for (const type of ["CachePolicy", "OriginRequestPolicy", "ResponseHeadersPolicy"])
    for (const name of plan.namesOf(`AWS::CloudFront::${type}`)) expect(all).not.toContain(name);
});

test("a policy that CloudFront refuses is named, and the others are still tried and deleted", async () => {
  const { findings, all } = await probe({
    "cloudfront:CreateOriginRequestPolicy": error("InvalidArgument", "Expect is not allowed.", 400),
  });

  const refused = plan.namesOf("AWS::CloudFront::OriginRequestPolicy");
  expect(findings.slice(0, refused.length)).toEqual(
    refused.map((name) => `fails: CloudFront refuses ${name}: InvalidArgument: Expect is not allowed.`),
  );
  expect(all[0]?.todo).toContain("Report this message as a bug");
  expect(findings).toContain(`well: CloudFront accepts ${policyCount - refused.length} of ${policyCount}`);
  expect(policies.size).toBe(0);
});

test("policies that were created before an error are deleted", async () => {
  const { findings } = await probe({
    "cloudfront:CreateResponseHeadersPolicy": error("AccessDenied", "No."),
  });

  expect(findings[0]).toBe("unchecked: could not be checked: AccessDenied: No.");
  expect(findings[1]).toBe("well: the probe's policies are deleted");
  expect(created.length).toBeGreaterThan(1);
  expect(policies.size).toBe(0);
});

test("a policy that cannot be deleted is named, with what to do", async () => {
  const { findings, all } = await probe({ "cloudfront:DeleteCachePolicy": error("AccessDenied", "No.") });

  const left = findings.filter((line) => line.startsWith("warns"));
  expect(left).toHaveLength(plan.countOf("AWS::CloudFront::CachePolicy"));
  expect(left[0]).toMatch(
    /^warns: dropleaf-preflight-probe-\S+ \(1\), which costs nothing, was not deleted: AccessDenied: No\.$/,
  );
  expect(all.find(({ verdict }) => verdict === "warns")?.todo).toContain(
    'delete 1 in the CloudFront console, "Policies"',
  );
});

test("a distribution refused because of its cache tags is not reported as a missing permission", async () => {
  const { findings } = await probe({
    "cloudfront:CreateDistribution": error("InvalidArgument", "CacheTagConfig is not supported.", 400),
  });

  expect(findings.at(-1)).toBe(
    "fails: CloudFront refuses a distribution with cache tags: InvalidArgument: CacheTagConfig is not supported.",
  );
});

test("a probe whose creation got no response is deleted", async () => {
  const { findings } = await probe({
    "cloudfront:CreateDistribution": (request) => {
      (cloudFront["cloudfront:CreateDistribution"] as (one: typeof request) => FakeResponse)(request);
      return error("ServiceUnavailable", "Try again.", 503);
    },
  });

  expect(findings).toEqual([
    ...acceptedPolicies,
    "unchecked: could not be checked: ServiceUnavailable: Try again.",
    "well: ENEW is deleted",
  ]);
  expect(distributions.size).toBe(0);
});

test("a probe that cannot be deleted is named, with what to do", async () => {
  const { findings, all } = await probe({ "cloudfront:DeleteDistribution": error("AccessDenied", "No.") });

  expect(findings.at(-1)).toBe(
    "warns: ENEW, which is disabled and costs nothing, was not deleted: AccessDenied: No.",
  );
  expect(all.at(-1)?.todo).toContain("delete ENEW");
});

test("an interrupted probe is deleted as soon as CloudFront allows it", async () => {
  const { lines, findings } = await probe({}, (line) => {
    if (line.startsWith("Waiting until CloudFront has deployed")) process.emit("SIGINT");
  });

  expect(lines.at(-1)).toMatch(/^Interrupted: the probe is deleted as soon as CloudFront allows it/);
  expect(findings).toContain("well: ENEW is deleted");
  expect(distributions.size).toBe(0);
});
