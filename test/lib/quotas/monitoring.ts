import { each, inStack, lengthOf, numberOf, resolved, resourcesOf } from "./count.ts";
import { type QuotaPage, reasons, type StackTemplate, type Uses } from "./quota.ts";

const alarm = "AWS::CloudWatch::Alarm";
const dashboard = "AWS::CloudWatch::Dashboard";

const free = "Additional use is charged, not refused.";

interface MetricQuery {
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly Dimensions?: readonly unknown[] };
    readonly Period: number;
  };
  readonly Period?: number;
}

interface Widget {
  readonly properties: { readonly metrics?: readonly unknown[]; readonly query?: string };
}

/** Measures the widgets of each dashboard. */
function eachDashboard(measure: (widgets: readonly Widget[]) => number): (template: StackTemplate) => Uses {
  return each(dashboard, ({ DashboardBody }) => measure(JSON.parse(String(resolved(DashboardBody))).widgets));
}

/** Returns the metrics of a math expression. Metrics Insights queries have a separate quota. */
const metricsOf = (queries: readonly MetricQuery[] = []) => queries.filter(({ MetricStat }) => MetricStat);

const periodOf = (Period: number | undefined, queries: readonly MetricQuery[] = []) =>
  Math.max(Period ?? 0, ...queries.map((query) => query.Period ?? query.MetricStat?.Period ?? 0));

export const cloudWatch: QuotaPage = {
  title: 'Amazon CloudWatch User Guide, "CloudWatch service quotas"',
  services: ["AWS::CloudWatch"],
  quotas: [
    { name: "Canary limit", value: 500, bound: 0, count: numberOf("AWS::Synthetics::Canary") },
    { name: "Number of Alarm Mute Rules", value: 2_000, reason: reasons.unused },
    { name: "Number of Contributor Insights rules", value: 100, reason: reasons.unused },
    {
      name: "Number of Metrics Insights alarms",
      value: 200,
      bound: 5,
      count: (template) =>
        inStack(
          resourcesOf(template, alarm).filter(([, { Properties }]) =>
            Properties.Metrics?.some(({ Expression }: MetricQuery) => Expression?.startsWith("SELECT")),
          ).length,
        ),
    },
    { name: "Rates of requests and of functions in GetMetricData", value: "57 rows", reason: reasons.rate },
    {
      name: "Investigations, Application Insights, Application Signals",
      value: "3 sections",
      reason: reasons.unused,
    },
    {
      name: "Internet Monitor, Network Flow Monitor, Network Synthetic Monitor",
      value: "3 sections",
      reason: reasons.unused,
    },
    {
      name: "Observability Access Manager, Observability Admin, RUM",
      value: "3 sections",
      reason: reasons.unused,
    },
  ],
};

/** Rows that the current page no longer has. The China Regions' page still has them. */
export const cloudWatchAlarms: QuotaPage = {
  title: 'Amazon CloudWatch User Guide (China Regions), "CloudWatch service quotas"',
  services: ["AWS::CloudWatch"],
  quotas: [
    {
      name: "Alarm actions",
      value: 5,
      bound: 2,
      count: each(alarm, ({ AlarmActions, OKActions, InsufficientDataActions }) =>
        Math.max(lengthOf(AlarmActions), lengthOf(OKActions), lengthOf(InsufficientDataActions)),
      ),
    },
    {
      name: "Alarm evaluation period",
      value: 86_400,
      bound: 21_600,
      count: each(
        alarm,
        ({ EvaluationPeriods, Metrics, Period }) => EvaluationPeriods * periodOf(Period, Metrics),
      ),
    },
    { name: "Alarms", value: "no limit", reason: free },
    {
      name: "Alarms based on metric math expressions",
      value: 10,
      bound: 8,
      count: each(alarm, ({ Metrics }) => metricsOf(Metrics).length),
    },
    { name: "Anomaly detection models", value: 500, reason: reasons.unused },
    { name: "API requests", value: "1,000,000 a month", reason: free },
    { name: "Custom metrics", value: "no quota", reason: free },
    {
      name: "Dashboards: widgets",
      value: 500,
      bound: 50,
      count: eachDashboard((widgets) => widgets.length),
    },
    {
      name: "Dashboards: metrics per widget",
      value: 500,
      bound: 50,
      count: eachDashboard((widgets) =>
        Math.max(...widgets.map(({ properties }) => lengthOf(properties.metrics))),
      ),
    },
    {
      name: "Dashboards: metrics of all widgets",
      value: 2_500,
      bound: 200,
      count: eachDashboard((widgets) =>
        widgets.reduce((sum, { properties }) => sum + lengthOf(properties.metrics), 0),
      ),
    },
    {
      name: "Dimensions",
      value: 30,
      bound: 5,
      count: each(alarm, ({ Dimensions, Metrics }) =>
        Math.max(
          lengthOf(Dimensions),
          ...metricsOf(Metrics).map(({ MetricStat }) => lengthOf(MetricStat?.Metric.Dimensions)),
        ),
      ),
    },
  ],
};

export const cloudWatchLogs: QuotaPage = {
  title: 'Amazon CloudWatch Logs User Guide, "CloudWatch Logs quotas"',
  services: ["AWS::Logs"],
  quotas: [
    { name: "Throttle limits in transactions per second", value: "57 rows", reason: reasons.rate },
    { name: "Active export task", value: 1, reason: reasons.unused },
    { name: "Batch size", value: "1 MB", reason: "Lambda writes the batches." },
    { name: "Data archiving", value: "5 GB", reason: free },
    { name: "Event size", value: "1,024 KB", reason: "A log entry has a few hundred bytes." },
    { name: "Live Tail concurrent sessions limit", value: 15, reason: reasons.unused },
    { name: "Log groups", value: 1_000_000, bound: 6, count: numberOf("AWS::Logs::LogGroup") },
    { name: "Log groups scanned per Live Tail session", value: 10, reason: reasons.unused },
    {
      name: "Metrics filters per log group",
      value: 100,
      bound: 10,
      count: numberOf("AWS::Logs::MetricFilter"),
    },
    { name: "Resource policies", value: 10, bound: 0, count: numberOf("AWS::Logs::ResourcePolicy") },
    {
      name: "Subscription filters per log group",
      value: 5,
      bound: 0,
      count: numberOf("AWS::Logs::SubscriptionFilter"),
    },
    { name: "logs anomaly detectors", value: 500, reason: reasons.unused },
    {
      // This row is from "Analyzing log data with CloudWatch Logs Insights".
      name: "Log groups in a query",
      value: 50,
      bound: 10,
      count: eachDashboard((widgets) =>
        Math.max(...widgets.map(({ properties }) => lengthOf(properties.query?.match(/SOURCE/g) ?? []))),
      ),
    },
  ],
};

export const xRay: QuotaPage = {
  title: 'AWS General Reference, "AWS X-Ray endpoints and quotas"',
  services: ["AWS::XRay"],
  quotas: [
    {
      name: "Custom sampling rules per region",
      value: 25,
      bound: 0,
      count: numberOf("AWS::XRay::SamplingRule"),
    },
    { name: "Groups in an account", value: 25, bound: 0, count: numberOf("AWS::XRay::Group") },
    { name: "Indexed annotations per trace", value: 50, reason: "Only AWS writes segments." },
    { name: "Segment document size", value: "64 KB", reason: "Only AWS writes segments." },
    {
      name: "Segments per second",
      value: 2_600,
      reason: "X-Ray samples one request a second and one in twenty.",
    },
    { name: "Tags per custom sampling rule and group", value: 50, reason: reasons.unused },
    {
      name: "Trace and service graph retention in days",
      value: 30,
      reason: "Operators read recent traces only.",
    },
    { name: "Trace data modification period in days", value: 7, reason: "Only AWS writes segments." },
    { name: "Trace document size", value: "100 to 500 KB", reason: "Only AWS writes segments." },
  ],
};
