import { each, inStack, lengthOf, numberOf, resourcesOf } from "./count.ts";
import { type QuotaPage, reasons, type StackTemplate } from "./quota.ts";

const budget = "AWS::Budgets::Budget";
const monitor = "AWS::CE::AnomalyMonitor";
const subscription = "AWS::CE::AnomalySubscription";
const plan = "AWS::Backup::BackupPlan";
const selection = "AWS::Backup::BackupSelection";

const noActions = "The budget has no actions.";
const customers = "The stack's monitor is customer-managed.";
const jobs = "The plan starts three jobs a day.";

const subscribersOf = (type: string) => (template: StackTemplate) =>
  inStack(
    resourcesOf(template, subscription)
      .flatMap(([, { Properties }]) => Properties.Subscribers)
      .filter(({ Type }) => Type === type).length,
  );

export const costManagement: QuotaPage = {
  title: 'AWS Cost Management User Guide, "Quotas and restrictions"',
  services: ["AWS::Budgets", "AWS::CE"],
  quotas: [
    { name: "Number of free budgets with actions per account", value: 2, reason: noActions },
    { name: "Number of actions per budget", value: 10, reason: noActions },
    { name: "Number of budget actions per account", value: 100, reason: noActions },
    {
      name: "Total number of budgets per management account",
      value: 20_000,
      bound: 1,
      count: numberOf(budget),
    },
    { name: "Total number of budgets using a custom billing view", value: 150, reason: reasons.unused },
    {
      name: "Characters allowed in a budget name",
      value: 0,
      bound: 0,
      count: each(budget, ({ Budget }) => Budget.BudgetName.replace(/[\w .:/=+%@-]/g, "").length),
    },
    { name: "Budget reports", value: "3 rows", reason: reasons.unused },
    { name: "Cost Explorer", value: "2 rows", reason: reasons.unused },
    { name: "AWS Managed Monitor Quotas", value: "5 rows", reason: customers },
    {
      name: "Total customer managed monitors per management account",
      value: 500,
      bound: 1,
      count: numberOf(monitor),
    },
    {
      name: "Values per customer managed monitor (linked accounts or tag values)",
      value: 10,
      bound: 1,
      count: each(monitor, ({ MonitorSpecification }) =>
        lengthOf(JSON.parse(MonitorSpecification).Tags.Values),
      ),
    },
    {
      name: "Values per customer managed monitor (cost category values)",
      value: 1,
      reason: "The monitor uses a tag.",
    },
    { name: "Alert subscriptions per account", value: 100, bound: 1, count: numberOf(subscription) },
    { name: "Email recipients per subscription", value: 10, bound: 0, count: subscribersOf("EMAIL") },
    { name: "Amazon SNS topics per subscription", value: 1, bound: 1, count: subscribersOf("SNS") },
    {
      name: "Monitors per alert subscription",
      value: 502,
      bound: 1,
      count: each(subscription, ({ MonitorArnList }) => lengthOf(MonitorArnList)),
    },
    {
      name: "Time to detect anomaly after usage",
      value: "24 hours",
      reason: "The service's alarms are faster.",
    },
    {
      name: "Historical data required for detection",
      value: "10 days",
      reason: "A new stack has no anomalies.",
    },
    {
      name: "Unsupported services",
      value: "Route 53 and Certificate Manager among them",
      reason: "Visitors cannot raise the cost of these services.",
    },
    { name: "AWS Pricing Calculator", value: "4 rows", reason: reasons.unused },
    { name: "Billing View", value: "1 row", reason: reasons.unused },
    { name: "AWS Billing and Cost Management Dashboards", value: "6 rows", reason: reasons.unused },
  ],
};

export const backup: QuotaPage = {
  title: 'AWS Backup Developer Guide, "AWS Backup quotas"',
  services: ["AWS::Backup"],
  quotas: [
    {
      name: "Total vaults per Region per account",
      value: 300,
      bound: 1,
      count: numberOf("AWS::Backup::BackupVault"),
    },
    {
      name: "Recovery points per backup vault",
      value: 1_000_000,
      reason: "Three recovery points a day are kept for seven days.",
    },
    { name: "Backup plans per Region per account", value: 300, bound: 1, count: numberOf(plan) },
    {
      name: "Versions per backup plan",
      value: 2_000,
      reason: "Only a deployment that changes the plan adds a version.",
    },
    { name: "Resource assignments per backup plan", value: 100, bound: 1, count: numberOf(selection) },
    { name: "Concurrent copies and jobs", value: "4 rows", reason: jobs },
    {
      name: "Tags per resource selection in a cross account backup policy",
      value: 30,
      reason: reasons.unused,
    },
    { name: "Hypervisors, legal holds, nested backup layers", value: "3 rows", reason: reasons.unused },
    { name: "Backup index and search quotas", value: "9 rows", reason: reasons.unused },
    { name: "Tags in a resource selection", value: 30, reason: "Resources are selected by their ARN." },
    {
      name: "Resource selections that use tags in a plan",
      value: 10,
      reason: "Resources are selected by their ARN.",
    },
    {
      name: "Backup plan rules in a plan",
      value: 10,
      bound: 2,
      count: each(plan, ({ BackupPlan }) => lengthOf(BackupPlan.BackupPlanRule)),
    },
    { name: "Tags added to a recovery point", value: 10, reason: "The rule adds no tags." },
    {
      name: "Copy actions per backup rule",
      value: 5,
      bound: 1,
      count: each(plan, ({ BackupPlan }) =>
        Math.max(
          ...BackupPlan.BackupPlanRule.map(({ CopyActions }: { CopyActions?: unknown[] }) =>
            lengthOf(CopyActions),
          ),
        ),
      ),
    },
    {
      name: "Conditions in a resource assignment in a backup plan",
      value: 30,
      reason: "Resources are selected by their ARN.",
    },
    { name: "Malware scanning quotas", value: "5 rows", reason: reasons.unused },
    {
      name: "Amazon Timestream, Audit Manager, gateway and Amazon EKS quotas",
      value: "4 sections",
      reason: reasons.unused,
    },
    { name: "Restore testing plan quotas", value: "20 rows", reason: reasons.unused },
    { name: "Logically air-gapped vault quotas", value: "7 rows", reason: reasons.unused },
  ],
};
