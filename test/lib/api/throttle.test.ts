import { describe, expect, test } from "vitest";
import { throttlesFor } from "../../../lib/api/throttle.ts";
import { givenStack, onlyResource } from "../given-stack.ts";

describe("throttles", () => {
  test("of an account with 1,000 executions are 1,000 a second for a method, with a burst of 400", () => {
    expect(throttlesFor(1_000)).toEqual({
      ofMethod: { rateLimit: 1_000, burstLimit: 400 },
      ofApi: { rateLimit: 2_500, burstLimit: 1_000 },
    });
    expect(throttlesFor(5_000)).toEqual(throttlesFor(1_000));
  });

  test("of a new account are 500 a second, with a burst of 200", () => {
    const ofTenExecutions = { rateLimit: 500, burstLimit: 200 };

    expect(throttlesFor()).toEqual({ ofMethod: ofTenExecutions, ofApi: ofTenExecutions });
  });

  test("never exceed the lowest quota of any Region", () => {
    for (const executions of [10, 11, 49, 50, 100, 999, 1_000, 100_000]) {
      const { ofMethod, ofApi } = throttlesFor(executions);

      // "Amazon API Gateway quotas": 2,500 a second and a burst of 1,250 in some Regions.
      expect(ofApi.rateLimit).toBeLessThanOrEqual(2_500);
      expect(ofApi.burstLimit).toBeLessThanOrEqual(1_250);
      expect(ofMethod.rateLimit).toBeLessThanOrEqual(ofApi.rateLimit);
      expect(ofMethod.burstLimit).toBeLessThanOrEqual(ofApi.burstLimit);
    }
  });
});

describe("the usage plan", () => {
  const planOf = (settings: object) =>
    onlyResource(givenStack(settings), "AWS::ApiGateway::UsagePlan").Properties;

  test("has a quota of 500,000 requests a day and the throttle of a new account, by default", () => {
    const plan = planOf({});

    expect(plan.Quota).toEqual({ Limit: 500_000, Period: "DAY" });
    expect(plan.Throttle).toEqual({ RateLimit: 500, BurstLimit: 200 });
    expect(plan.ApiStages).toEqual([
      { ApiId: { Ref: expect.any(String) }, Stage: { Ref: expect.any(String) } },
    ]);
  });

  test("has the quota and the throttle of the settings", () => {
    const plan = planOf({ requestsPerDayMax: 1_000, concurrentExecutions: 1_000 });

    expect(plan.Quota.Limit).toBe(1_000);
    expect(plan.Throttle).toEqual({ RateLimit: 2_500, BurstLimit: 1_000 });
  });

  test("leaves each method a throttle below the whole API's", () => {
    const [setting] = onlyResource(givenStack({ concurrentExecutions: 1_000 }), "AWS::ApiGateway::Stage")
      .Properties.MethodSettings;

    expect(setting).toMatchObject({
      ResourcePath: "/*",
      HttpMethod: "*",
      ThrottlingRateLimit: 1_000,
      ThrottlingBurstLimit: 400,
    });
  });
});
