import { expect, test } from "vitest";
import type { Settings } from "../../../lib/settings.ts";
import { givenHostingStack, givenStack, resourcesOf } from "../given-stack.ts";

const elsewhere: Settings = {
  region: "eu-central-1",
  baseUrl: "https://drops.example.com",
  certificateArn: "arn:aws:acm:us-east-1:111122223333:certificate/0a1b2c3d",
  hostedZone: { id: "Z0123456789ABCDEFGHIJ", name: "example.com" },
  dashboard: true,
};

test("a stack is in the region of the settings, except for resources that CloudFront requires in us-east-1", {
  tags: "nightly",
}, () => {
  const text = JSON.stringify(givenStack({ ...elsewhere, ingest: "webfunction" }).toJSON());

  expect(givenHostingStack(elsewhere).region).toBe("eu-central-1");
  expect(text.match(/[^"]{0,20}us-east-1[^"]{0,20}/g)?.filter((one) => !one.includes(":acm:"))).toEqual(
    // The dashboard shows CloudFront's metrics, which are in us-east-1.
    ["us-east-1\\", "us-east-1\\"],
  );
});

test("an alarm without a metric in the region is left out, because it would never be raised", () => {
  const alarms = (settings: Settings) =>
    JSON.stringify(resourcesOf(givenStack(settings), "AWS::CloudWatch::Alarm"));

  expect(alarms({})).toContain("AWS/CloudFront");
  expect(alarms(elsewhere)).not.toContain("AWS/CloudFront");
  expect(alarms(elsewhere)).toContain("AWS/ApiGateway");
});

test("rendering is refused in a region whose Lambda lacks tenant isolation", () => {
  expect(() => givenStack({ region: "ap-southeast-6" })).toThrow("set renders: false");
  expect(givenHostingStack({ region: "ap-southeast-6", renders: false }).region).toBe("ap-southeast-6");
});
