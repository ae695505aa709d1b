import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { probeCloudFront, probeComment } from "../../scripts/operator/preflight/cloudfront-probe.ts";
import { probePolicy } from "../../scripts/operator/preflight/preflight.ts";
import { FakeAccount, type FakeResponse, type FakeResponses } from "./fake-account.ts";

const account = new FakeAccount();
beforeAll(() => account.start());
afterAll(() => account.stop());

/** A distribution of the account, as far as a probe looks at it. */
interface FakeDistribution {
  readonly comment: string;
  readonly enabled: boolean;
  /** Looks until CloudFront has deployed it. */
  looksLeft: number;
}

const distributions = new Map<string, FakeDistribution>();
beforeEach(() => {
  distributions.clear();
  account.calls.clear();
});

const error = (code: string, message: string, status = 403): FakeResponse => ({
  status,
  body: `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});
const idIn = ({ pathname }: URL) => pathname.split("/").at(-1) ?? "";
const textIn = (body: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(body)?.[1];

/** CloudFront, as its API reference says that distributions come and go. */
const cloudFront: FakeResponses = {
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
  const findings = await probeCloudFront({ print, report: print, ask: async () => "" }, 1);
  return { lines, findings: findings.map(({ verdict, says }) => `${verdict}: ${says}`), all: findings };
}

test("a verified account has nothing more of the probe, which is said before it is made", async () => {
  const { lines, findings } = await probe();

  expect(findings).toEqual(["well: AWS has verified the account", "well: ENEW is deleted"]);
  expect(lines[0]).toMatch(/^Creates a CloudFront distribution that is turned off .* It costs nothing/);
  expect([...distributions.keys()]).toEqual([]);
  expect(probePolicy()).toMatchObject({ Statement: [{ Action: [...account.calls].sort() }] });
});

test("an account that is not verified is told so in AWS's words, and what to do", async () => {
  const message = "Your account must be verified before you can add new CloudFront resources.";

  const { findings, all } = await probe({ "cloudfront:CreateDistribution": error("AccessDenied", message) });

  expect(findings).toEqual([`fails: AWS has not verified the account: ${message}`]);
  expect(all[0]?.todo).toContain("AWS Support");
});

test("a missing permission is not taken for an account that is not verified", async () => {
  const message = "User: ada is not authorized to perform: cloudfront:CreateDistribution";

  const { findings, all } = await probe({ "cloudfront:CreateDistribution": error("AccessDenied", message) });

  expect(findings).toEqual([`unasked: could not be asked: AccessDenied: ${message}`]);
  expect(all[0]?.todo).toContain("cloudfront:CreateDistribution");
});

test("an account with distributions gets no other one, and loses what an earlier probe has left alone", async () => {
  distributions.set("EOWN", { comment: "shop", enabled: false, looksLeft: 0 });
  distributions.set("EON", { comment: probeComment, enabled: true, looksLeft: 0 });
  distributions.set("EOLD", { comment: probeComment, enabled: false, looksLeft: 1 });

  const { findings } = await probe();

  expect(findings).toEqual([
    "well: AWS has verified the account: it has distributions",
    "well: EOLD is deleted",
  ]);
  expect([...distributions.keys()]).toEqual(["EOWN", "EON"]);
  expect(account.calls).not.toContain("cloudfront:CreateDistribution");
});

test("a probe whose creation got no answer is deleted all the same", async () => {
  const { findings } = await probe({
    "cloudfront:CreateDistribution": (request) => {
      (cloudFront["cloudfront:CreateDistribution"] as (one: typeof request) => FakeResponse)(request);
      return error("ServiceUnavailable", "Try again.", 503);
    },
  });

  expect(findings).toEqual([
    "unasked: could not be asked: ServiceUnavailable: Try again.",
    "well: ENEW is deleted",
  ]);
  expect(distributions.size).toBe(0);
});

test("a probe that cannot be deleted is named, and what to do about it", async () => {
  const { findings, all } = await probe({ "cloudfront:DeleteDistribution": error("AccessDenied", "No.") });

  expect(findings[1]).toBe("warns: ENEW, turned off and at no cost, is left: AccessDenied: No.");
  expect(all[1]?.todo).toContain("delete ENEW");
});

test("an interrupted probe is deleted first", async () => {
  const { lines, findings } = await probe({}, (line) => {
    if (line.startsWith("Deletes")) process.emit("SIGINT");
  });

  expect(lines.at(-1)).toMatch(/^Interrupted: the probe is deleted as soon as CloudFront allows it/);
  expect(findings).toContain("well: ENEW is deleted");
  expect(distributions.size).toBe(0);
});
