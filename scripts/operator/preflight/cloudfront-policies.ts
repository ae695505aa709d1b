import {
  type CachePolicyConfig,
  CloudFrontClient,
  CreateCachePolicyCommand,
  CreateOriginRequestPolicyCommand,
  CreateResponseHeadersPolicyCommand,
  DeleteCachePolicyCommand,
  DeleteOriginRequestPolicyCommand,
  DeleteResponseHeadersPolicyCommand,
  type DistributionSummary,
  GetCachePolicyCommand,
  GetOriginRequestPolicyCommand,
  GetResponseHeadersPolicyCommand,
  ListCachePoliciesCommand,
  ListDistributionsCommand,
  ListOriginRequestPoliciesCommand,
  ListResponseHeadersPoliciesCommand,
  type OriginRequestPolicyConfig,
  type ResponseHeadersPolicyConfig,
} from "@aws-sdk/client-cloudfront";
import { edgeRegion } from "../../../lib/settings.ts";
import { everyPage } from "./finding.ts";

/** Client of CloudFront's API, which is in one region. */
export function cloudFront(): CloudFrontClient {
  return new CloudFrontClient({ region: edgeRegion });
}

/** Every distribution of the account. */
export function listDistributions(): Promise<DistributionSummary[]> {
  return everyPage(
    (Marker) => cloudFront().send(new ListDistributionsCommand({ Marker })),
    ({ DistributionList }) => [DistributionList?.Items, DistributionList?.NextMarker],
  );
}

/** A kind of policy that CloudFront has. */
interface PolicyKind {
  /** Such as "Cache policies". */
  readonly about: string;
  /** Such as `CachePolicy`: the end of its type in a template, and of IAM's names of its operations. */
  readonly name: string;
  readonly plural: string;
  /** The quota of the account's own policies. */
  readonly quotaCode: string;
  /** Every policy of the account's own. */
  readonly list: () => Promise<readonly { readonly id: string; readonly name: string }[]>;
  /** @param config in the API's shape */
  readonly create: (config: object) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
}

const named = (Id = "", config: { readonly Name?: string | undefined } = {}) => {
  return { id: Id, name: config.Name ?? "" };
};
const Type = "custom";

/** CloudFront API reference, "CreateCachePolicy", "CreateOriginRequestPolicy" and "CreateResponseHeadersPolicy". */
export const policyKinds: readonly PolicyKind[] = [
  {
    about: "Cache policies",
    name: "CachePolicy",
    plural: "CachePolicies",
    quotaCode: "L-7D134442",
    list: () =>
      everyPage(
        (Marker) => cloudFront().send(new ListCachePoliciesCommand({ Type, Marker })),
        ({ CachePolicyList: page }) => [
          page?.Items?.map(({ CachePolicy: one }) => named(one?.Id, one?.CachePolicyConfig)),
          page?.NextMarker,
        ],
      ),
    create: (config) =>
      cloudFront().send(new CreateCachePolicyCommand({ CachePolicyConfig: config as CachePolicyConfig })),
    remove: async (Id) => {
      const { ETag: IfMatch } = await cloudFront().send(new GetCachePolicyCommand({ Id }));
      await cloudFront().send(new DeleteCachePolicyCommand({ Id, IfMatch }));
    },
  },
  {
    about: "Origin request policies",
    name: "OriginRequestPolicy",
    plural: "OriginRequestPolicies",
    quotaCode: "L-C3659C43",
    list: () =>
      everyPage(
        (Marker) => cloudFront().send(new ListOriginRequestPoliciesCommand({ Type, Marker })),
        ({ OriginRequestPolicyList: page }) => [
          page?.Items?.map(({ OriginRequestPolicy: one }) => named(one?.Id, one?.OriginRequestPolicyConfig)),
          page?.NextMarker,
        ],
      ),
    create: (config) => {
      const OriginRequestPolicyConfig = config as OriginRequestPolicyConfig;
      return cloudFront().send(new CreateOriginRequestPolicyCommand({ OriginRequestPolicyConfig }));
    },
    remove: async (Id) => {
      const { ETag: IfMatch } = await cloudFront().send(new GetOriginRequestPolicyCommand({ Id }));
      await cloudFront().send(new DeleteOriginRequestPolicyCommand({ Id, IfMatch }));
    },
  },
  {
    about: "Response headers policies",
    name: "ResponseHeadersPolicy",
    plural: "ResponseHeadersPolicies",
    quotaCode: "L-CF0D4FC5",
    list: () =>
      everyPage(
        (Marker) => cloudFront().send(new ListResponseHeadersPoliciesCommand({ Type, Marker })),
        ({ ResponseHeadersPolicyList: page }) => [
          page?.Items?.map(({ ResponseHeadersPolicy: p }) => named(p?.Id, p?.ResponseHeadersPolicyConfig)),
          page?.NextMarker,
        ],
      ),
    create: (config) => {
      const ResponseHeadersPolicyConfig = config as ResponseHeadersPolicyConfig;
      return cloudFront().send(new CreateResponseHeadersPolicyCommand({ ResponseHeadersPolicyConfig }));
    },
    remove: async (Id) => {
      const { ETag: IfMatch } = await cloudFront().send(new GetResponseHeadersPolicyCommand({ Id }));
      await cloudFront().send(new DeleteResponseHeadersPolicyCommand({ Id, IfMatch }));
    },
  },
];
