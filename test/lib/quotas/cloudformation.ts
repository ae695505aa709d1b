import { inStack, longestOf } from "./count.ts";
import type { QuotaPage, StackTemplate } from "./quota.ts";

const noHooks = "The stack registers no hooks.";
const noRegistry = "The stack registers no types of its own.";
const noStackSets = "The stack is not in a stack set.";
const hasRoom = "The quota is the account's, and the service is one stack.";

/** Additional bytes for a function's code in S3 and its asset metadata. */
const codeBytes = 400;

/** Returns the bytes of the file that the CDK uploads, which has no white space. */
function templateBytes(template: StackTemplate): number {
  const functions = Object.values(template.Resources).filter(({ Type }) => Type === "AWS::Lambda::Function");
  return Buffer.byteLength(JSON.stringify(template)) + functions.length * codeBytes;
}

export const cloudFormation: QuotaPage = {
  title: 'AWS CloudFormation User Guide, "Understand CloudFormation quotas"',
  services: ["AWS::CloudFormation", "AWS::CDK"],
  quotas: [
    {
      name: "cfn-signal wait condition data",
      value: "4,096 bytes",
      reason: "The stack waits for no signals.",
    },
    {
      name: "Custom resource response",
      value: "4,096 bytes",
      reason:
        "The only custom resources are the CDK's, for the ingest server's asset. They return a bucket and a key.",
    },
    {
      name: "Dynamic references per template",
      value: 60,
      bound: 10,
      count: (template) => inStack(JSON.stringify(template).split("{{resolve:").length - 1),
    },
    { name: "Hooks per account", value: 100, reason: noHooks },
    { name: "Hooks per resource", value: 100, reason: noHooks },
    { name: "Hook configuration size", value: "204.8 KB", reason: noHooks },
    {
      name: "Mappings",
      value: 200,
      bound: 10,
      count: ({ Mappings = {} }) => inStack(Object.keys(Mappings).length),
    },
    {
      name: "Mapping attributes",
      value: 200,
      bound: 50,
      count: ({ Mappings = {} }) =>
        Object.fromEntries(Object.entries(Mappings).map(([name, map]) => [name, Object.keys(map).length])),
    },
    {
      name: "Mapping name and mapping attribute name",
      value: 255,
      bound: 100,
      count: ({ Mappings = {} }) =>
        inStack(longestOf(Object.entries(Mappings).flatMap(([name, map]) => [name, ...Object.keys(map)]))),
    },
    { name: "Modules", value: 100, reason: noRegistry },
    { name: "Module versions", value: 100, reason: noRegistry },
    { name: "Nested stacks", value: "2,500 resources", reason: "The stack has no nested stacks." },
    {
      name: "Outputs",
      value: 200,
      bound: 50,
      count: ({ Outputs = {} }) => inStack(Object.keys(Outputs).length),
    },
    {
      name: "Output name",
      value: 255,
      bound: 100,
      count: ({ Outputs = {} }) => inStack(longestOf(Object.keys(Outputs))),
    },
    {
      name: "Parameters",
      value: 200,
      bound: 10,
      count: ({ Parameters = {} }) => inStack(Object.keys(Parameters).length),
    },
    {
      name: "Parameter name",
      value: 255,
      bound: 100,
      count: ({ Parameters = {} }) => inStack(longestOf(Object.keys(Parameters))),
    },
    {
      name: "Parameter value",
      value: 4_096,
      bound: 1_000,
      count: ({ Parameters = {} }) =>
        inStack(longestOf(Object.values(Parameters).map(({ Default = "" }) => String(Default)))),
    },
    { name: "Private resources", value: 50, reason: noRegistry },
    { name: "Private resource versions", value: 50, reason: noRegistry },
    {
      name: "Resources",
      value: 500,
      bound: (kind) => (kind === "no setting" ? 240 : 275),
      count: ({ Resources }) => inStack(Object.keys(Resources).length),
    },
    {
      name: "Resources in concurrent stack operations",
      value: "as DescribeAccountLimits says",
      reason: "The account's quota, shared by all stacks that are deployed concurrently.",
    },
    {
      name: "Resource name",
      value: 255,
      bound: 200,
      count: ({ Resources }) => inStack(longestOf(Object.keys(Resources))),
    },
    { name: "Stacks", value: 2_000, reason: hasRoom },
    {
      name: "Stack name",
      value: 128,
      reason: "The settings refuse names of more than 40 characters: `stackNameLengthMax`.",
    },
    { name: "StackSets", value: 1_000, reason: noStackSets },
    { name: "Stack instances", value: 100_000, reason: noStackSets },
    { name: "StackSets instance operations", value: 10_000, reason: noStackSets },
    { name: "StackSets queued operations", value: 10_000, reason: noStackSets },
    { name: "Stacks imported using S3 object per stack set operation", value: 200, reason: noStackSets },
    {
      name: "Stacks imported using inline stack ids per stack set operation",
      value: 10,
      reason: noStackSets,
    },
    {
      name: "Template body size in a request",
      value: "51,200 bytes",
      reason: "The CDK uploads the template to Amazon S3.",
    },
    {
      name: "Template body size in an Amazon S3 object",
      value: 1_048_576,
      bound: 780_000,
      count: (template) => inStack(templateBytes(template)),
    },
    {
      name: "Template description",
      value: 1_024,
      bound: 500,
      count: ({ Description = "" }) => inStack(Buffer.byteLength(Description)),
    },
    { name: "Versions per hook", value: 100, reason: noHooks },
  ],
};
