// @module-tag slow

import { describe, expect, test } from "vitest";
import { givenStack } from "./given-stack.ts";
import { pricingPlans } from "./quotas/pricing-plans.ts";
import type { Quota, QuotaPage, StackTemplate } from "./quotas/quota.ts";
import { quotaPages } from "./quotas.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

const templates = settingsOfEachKind.map(([kind, settings]) => ({
  kind,
  template: givenStack(settings).toJSON() as StackTemplate,
}));

/** Lists the uses above a row's bound: kind of settings, quota, used and allowed. */
function excessesOf(
  { name, bound, value, count }: Quota & { count: object },
  kind: string,
  template: StackTemplate,
) {
  const allowed = typeof bound === "number" ? bound : bound(kind);
  return Object.entries(count(template))
    .filter(([, used]) => !(used <= allowed))
    .map(
      ([what, used]) =>
        `${kind}: ${what} uses ${used} of "${name}"; ${allowed} are allowed, of AWS's ${value}`,
    );
}

describe.each(quotaPages)("$title", ({ quotas }: QuotaPage) => {
  const counted = quotas.filter((quota) => quota.count !== undefined);

  test.each(counted)("no settings exceed the bound of the quota $name", (quota) => {
    const excesses = templates.flatMap(({ kind, template }) => excessesOf(quota, kind, template));

    expect(excesses).toEqual([]);
  });

  test("every row has either a count or a reason, and a unique name", () => {
    const names = quotas.map(({ name }) => name);

    expect(quotas.filter(({ count, reason = "" }) => (count === undefined) === (reason === ""))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("no bound is above its quota", () => {
    const bounds = counted.flatMap(({ name, value, bound }) =>
      typeof bound === "number" ? [{ name, value, bound }] : [{ name, value, bound: bound("any other") }],
    );

    expect(bounds.filter(({ value, bound }) => bound > value)).toEqual([]);
  });
});

test("the table has a quota page for every service in a stack", () => {
  const services = quotaPages.flatMap((page) => page.services);
  const types = templates.flatMap(({ template }) =>
    Object.values(template.Resources).map(({ Type }) => Type),
  );

  const missing = types.filter(
    (type) => !type.startsWith("Custom::") && !services.some((service) => type.startsWith(`${service}::`)),
  );

  expect([...new Set(missing)]).toEqual([]);
});

test("every count is above zero with some settings", () => {
  const idle = quotaPages.flatMap(({ title, quotas }) =>
    quotas.flatMap(({ name, count }) =>
      count === undefined || templates.some(({ template }) => Object.keys(count(template)).length > 0)
        ? []
        : [`${title}: ${name}`],
    ),
  );

  expect(idle).toEqual([]);
});

test.each([
  ["Free", 8],
  ["Pro", 6],
  ["Business", 1],
  ["Premium", 0],
])(
  "for a flat-rate plan of the tier %s, the missing features that the distribution uses are reported",
  (PlanTier, excesses) => {
    const found = templates.find(({ kind }) => kind === "the maximum number of resources");
    if (found === undefined) throw new Error("These settings are missing.");
    const { template } = found;
    const Plan = { Type: "AWS::PricingPlanManager::Subscription", Properties: { PlanTier } };
    const withPlan = { ...template, Resources: { ...template.Resources, Plan } };

    const reported = pricingPlans.quotas.flatMap((quota) =>
      quota.count === undefined ? [] : excessesOf(quota, PlanTier, withPlan),
    );

    expect(reported).toHaveLength(excesses);
  },
);

test("a count above its bound is reported with settings, quota and both numbers", () => {
  const [quota] = quotaPages.flatMap(({ quotas }) => quotas.filter(({ name }) => name === "Outputs"));
  const Outputs = Object.fromEntries(Array.from({ length: 51 }, (_, number) => [`Output${number}`, {}]));

  if (quota?.count === undefined) throw new Error("Outputs are not counted.");
  expect(excessesOf(quota, "too many outputs", { Outputs, Resources: {} })).toEqual([
    'too many outputs: the stack uses 51 of "Outputs"; 50 are allowed, of AWS\'s 200',
  ]);
});
