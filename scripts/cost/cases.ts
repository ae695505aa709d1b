import { firewallLimitDefault } from "../../lib/edge/firewall.ts";
import { requestsPerDayDefault } from "../../lib/settings.ts";
import { assumptions } from "./assumptions.ts";
import { type CostLine, estimate, perCall, toLines } from "./estimate.ts";
import type { FindMeasuredCall } from "./measured-calls.ts";
import type { Part } from "./prices.ts";
import { defaultTraffic, idleTraffic } from "./traffic.ts";

/** A month with something in it that an operator fears, and what bounds its cost. */
interface CostCase {
  readonly what: string;
  readonly stoppedBy: string;
  readonly lines: readonly CostLine[];
}

/** Settings that bound what strangers can cost. */
interface Bounds {
  /** @default - a hundred million */
  readonly requests?: number;
  /** Requests a day that reach functions. @default - all */
  readonly requestsPerDay?: number;
  readonly waf?: boolean;
}

/** Lists the cases of docs/cost.md, "Who stops it". */
export function costCases(find: FindMeasuredCall): CostCase[] {
  const requestsPerDay = requestsPerDayDefault;
  const daily = `requestsPerDayMax: ${requestsPerDay}`;
  const strangers = (bounds: Bounds) => toLines(strangersParts(bounds, find));
  const popular = { ...idleTraffic, views: 10_000_000, cacheHits: 0.99 };
  return [
    { what: "idle", stoppedBy: "nothing to stop", lines: estimate(idleTraffic, find) },
    { what: "thirty people", stoppedBy: "nothing to stop", lines: estimate(defaultTraffic, find) },
    {
      what: "a page with ten million views",
      stoppedBy: `\`${daily}\`, above ${requestsPerDay.toLocaleString("en-US")} a day`,
      lines: estimate(popular, find),
    },
    { what: "a hundred million hostile requests", stoppedBy: "nobody", lines: strangers({}) },
    { what: "the same", stoppedBy: `\`${daily}\``, lines: strangers({ requestsPerDay }) },
    {
      what: "the same",
      stoppedBy: `\`${daily}\` and \`waf: true\``,
      lines: strangers({ requestsPerDay, waf: true }),
    },
    {
      what: "hostile requests that use up the quota on thirty days",
      stoppedBy: `\`${daily}\``,
      lines: strangers({ requests: 30 * requestsPerDay }),
    },
  ];
}

/** A hundred million requests within a day from a few addresses, for pages that are not cached, in a month without other traffic. */
function strangersParts(bounds: Bounds, find: FindMeasuredCall): Part[] {
  const { hostileAddresses, viewerKilobytes, refusalKilobytes } = assumptions;
  const { requests = assumptions.hostileRequests, requestsPerDay, waf = false } = bounds;
  const windows = (24 * 60) / 5;
  const perAddress = firewallLimitDefault.requestsPer5MinutesPerAddress * windows;
  // CloudFront does not charge for what the firewall blocks: AWS, "What's New", 25 October 2024.
  const atEdge = waf ? Math.min(requests, hostileAddresses * perAddress) : requests;
  // API Gateway does not charge for what a usage plan refuses.
  const called = Math.min(atEdge, requestsPerDay ?? atEdge);
  const kilobytes = called * viewerKilobytes + (atEdge - called) * refusalKilobytes;
  return [
    ...perCall([{ operation: "view-drop", count: called }], find),
    ["edgeRequest", "Edge, requests", atEdge],
    ["edgeFunctionCall", "Edge, functions", atEdge],
    ["edgeGigabyte", "Edge, traffic", kilobytes / 1e6],
    ["firewallRequest", "Firewall, requests", waf ? requests : 0],
    ["firewall", "Firewall", waf ? 1 : 0],
    ["firewallRule", "Firewall, rules", waf ? assumptions.firewallRules : 0],
  ];
}
