import {
  type CachePolicyConfig,
  CreateCachePolicyCommand,
  CreateOriginRequestPolicyCommand,
  CreateResponseHeadersPolicyCommand,
  DeleteCachePolicyCommand,
  DeleteOriginRequestPolicyCommand,
  DeleteResponseHeadersPolicyCommand,
  GetCachePolicyCommand,
  GetOriginRequestPolicyCommand,
  GetResponseHeadersPolicyCommand,
  ListCachePoliciesCommand,
  ListOriginRequestPoliciesCommand,
  ListResponseHeadersPoliciesCommand,
  type OriginRequestPolicyConfig,
  type ResponseHeadersPolicyConfig,
} from "@aws-sdk/client-cloudfront";
import { cloudFront } from "./distributions.ts";
import { everyPage } from "./finding.ts";

/** A policy of the account's own. */
interface NamedPolicy {
  readonly id: string;
  readonly name: string;
}

/** A kind of policy that CloudFront has. */
export interface PolicyKind {
  /** Such as "Cache policies". */
  readonly about: string;
  /** In a template, whose property of the same name has the policy. */
  readonly type: string;
  /** As IAM names its operations: `cloudfront:List…`. */
  readonly listAction: string;
  readonly probeActions: readonly string[];
  readonly list: () => Promise<NamedPolicy[]>;
  /** @param config in the API's shape */
  readonly create: (config: object) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
}

/** CloudFront API reference, "CreateCachePolicy", "CreateOriginRequestPolicy" and "CreateResponseHeadersPolicy". */
export const policyKinds: readonly PolicyKind[] = [
  {
    about: "Cache policies",
    type: "AWS::CloudFront::CachePolicy",
    ...actionsOf("CachePolicy", "CachePolicies"),
    list: () =>
      everyPage(
        (Marker) => cloudFront().send(new ListCachePoliciesCommand({ Type: "custom", Marker })),
        ({ CachePolicyList: page }) => ({
          items: page?.Items?.map(({ CachePolicy: one }) => named(one?.Id, one?.CachePolicyConfig)),
          next: page?.NextMarker,
        }),
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
    type: "AWS::CloudFront::OriginRequestPolicy",
    ...actionsOf("OriginRequestPolicy", "OriginRequestPolicies"),
    list: () =>
      everyPage(
        (Marker) => cloudFront().send(new ListOriginRequestPoliciesCommand({ Type: "custom", Marker })),
        ({ OriginRequestPolicyList: page }) => ({
          items: page?.Items?.map(({ OriginRequestPolicy: one }) =>
            named(one?.Id, one?.OriginRequestPolicyConfig),
          ),
          next: page?.NextMarker,
        }),
      ),
    create: (config) =>
      cloudFront().send(
        new CreateOriginRequestPolicyCommand({
          OriginRequestPolicyConfig: config as OriginRequestPolicyConfig,
        }),
      ),
    remove: async (Id) => {
      const { ETag: IfMatch } = await cloudFront().send(new GetOriginRequestPolicyCommand({ Id }));
      await cloudFront().send(new DeleteOriginRequestPolicyCommand({ Id, IfMatch }));
    },
  },
  {
    about: "Response headers policies",
    type: "AWS::CloudFront::ResponseHeadersPolicy",
    ...actionsOf("ResponseHeadersPolicy", "ResponseHeadersPolicies"),
    list: () =>
      everyPage(
        (Marker) => cloudFront().send(new ListResponseHeadersPoliciesCommand({ Type: "custom", Marker })),
        ({ ResponseHeadersPolicyList: page }) => ({
          items: page?.Items?.map(({ ResponseHeadersPolicy: one }) =>
            named(one?.Id, one?.ResponseHeadersPolicyConfig),
          ),
          next: page?.NextMarker,
        }),
      ),
    create: (config) =>
      cloudFront().send(
        new CreateResponseHeadersPolicyCommand({
          ResponseHeadersPolicyConfig: config as ResponseHeadersPolicyConfig,
        }),
      ),
    remove: async (Id) => {
      const { ETag: IfMatch } = await cloudFront().send(new GetResponseHeadersPolicyCommand({ Id }));
      await cloudFront().send(new DeleteResponseHeadersPolicyCommand({ Id, IfMatch }));
    },
  },
];

function actionsOf(one: string, all: string): Pick<PolicyKind, "listAction" | "probeActions"> {
  const listAction = `cloudfront:List${all}`;
  const others = ["Create", "Delete", "Get"].map((verb) => `cloudfront:${verb}${one}`);
  return { listAction, probeActions: [listAction, ...others] };
}

function named(id = "", config: { readonly Name?: string | undefined } = {}): NamedPolicy {
  return { id, name: config.Name ?? "" };
}
