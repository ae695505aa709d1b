import { type Resource, resourcesOfType, type Template } from "../template.ts";
import { evaluateMath, type Series } from "./metric-math.ts";
import type { MetricId, MetricStore } from "./metric-store.ts";

/** State of a metric alarm; see "Alarm evaluation", Amazon CloudWatch user guide. */
export type AlarmState = "OK" | "ALARM" | "INSUFFICIENT_DATA";

/** An `AWS::CloudWatch::Alarm` of the template. */
export interface Alarm {
  readonly name: string;
  /**
   * Evaluates the alarm at a time, rounded down to the minute. The evaluation window ends at that time and slides, which is the default;
   * see "Alarm evaluation windows", Amazon CloudWatch user guide.
   */
  stateAt(atMs: number, metrics: MetricStore): AlarmState;
}

/** A metric with its statistic, parsed from an alarm's own properties or from its `Metrics` list. */
interface MetricStat {
  readonly metric: MetricId;
  readonly statistic: string;
  readonly periodSeconds: number;
}

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly ReturnData?: boolean;
  readonly Period?: number;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions?: Dimensions;
    };
    readonly Stat: string;
    readonly Period: number;
  };
}

type Dimensions = readonly { readonly Name: string; readonly Value: string }[];

/** Parses every alarm of the template. Throws an Error that names a property that is not emulated. */
export function alarmsOf(template: Template): Alarm[] {
  return resourcesOfType(template, "AWS::CloudWatch::Alarm").map(parseAlarm);
}

function parseAlarm({ logicalId, properties }: Resource): Alarm {
  const { AlarmName, EvaluationPeriods, Threshold, ComparisonOperator, TreatMissingData } = properties;
  const periods = Number(EvaluationPeriods);
  const datapointsToAlarm = Number(properties.DatapointsToAlarm ?? periods);
  const isBreaching = comparisons[String(ComparisonOperator)];
  const missing = missingData.find((one) => one === (TreatMissingData ?? "missing"));
  if (isBreaching === undefined || missing === undefined)
    throw new Error(
      `${logicalId}: an alarm with ${ComparisonOperator} that treats missing data as ${TreatMissingData} is not emulated`,
    );
  const seriesAt = seriesOf(logicalId, properties, periods);
  return {
    name: String(AlarmName),
    stateAt(atMs, metrics) {
      const series = seriesAt(Math.floor(atMs / 60_000) * 60_000, metrics);
      if (missing === "missing" && series.every((value) => value === undefined)) return "INSUFFICIENT_DATA";
      const breaching = series.filter((value) =>
        value === undefined ? missing === "breaching" : isBreaching(value, Number(Threshold)),
      );
      return breaching.length >= datapointsToAlarm ? "ALARM" : "OK";
    },
  };
}

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanOrEqualToThreshold: (value, threshold) => value >= threshold,
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanOrEqualToThreshold: (value, threshold) => value <= threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

/** Supported treatments of missing data, which do not include `ignore`; see "Configuring how CloudWatch alarms treat missing data". */
const missingData = ["breaching", "notBreaching", "missing"];

type SeriesAt = (endMs: number, metrics: MetricStore) => Series;

function seriesOf(logicalId: string, properties: Resource["properties"], periods: number): SeriesAt {
  const { Metrics, Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic, Period } = properties;
  if (Metrics === undefined) {
    const metric = metricOf(String(Namespace), String(MetricName), Dimensions as Dimensions | undefined);
    const stat = { metric, statistic: String(Statistic ?? ExtendedStatistic), periodSeconds: Number(Period) };
    return (endMs, metrics) => dataPoints(stat, periods, endMs, metrics);
  }
  const queries = Metrics as readonly Query[];
  const stats = new Map(queries.flatMap((query) => statOf(query)));
  const [returned, ...others] = queries.filter(({ ReturnData }) => ReturnData !== false);
  const expression = returned?.Expression;
  if (expression === undefined || others.length > 0 || /^SELECT\b/i.test(expression))
    throw new Error(
      `${logicalId}: alarms are emulated only on a metric or one math expression, not on a query`,
    );
  return (endMs, metrics) =>
    evaluateMath(
      expression,
      new Map([...stats].map(([id, stat]) => [id, dataPoints(stat, periods, endMs, metrics)])),
    );
}

function statOf({ Id, MetricStat: given }: Query): [string, MetricStat][] {
  if (given === undefined) return [];
  const { Namespace, MetricName, Dimensions } = given.Metric;
  const metric = metricOf(Namespace, MetricName, Dimensions);
  return [[Id, { metric, statistic: given.Stat, periodSeconds: given.Period }]];
}

function metricOf(namespace: string, name: string, dimensions: Dimensions = []): MetricId {
  return {
    namespace,
    name,
    dimensions: Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value])),
  };
}

/** Returns the data point of each period of the window, oldest first. */
function dataPoints(
  { metric, statistic, periodSeconds }: MetricStat,
  periods: number,
  endMs: number,
  metrics: MetricStore,
): Series {
  return Array.from({ length: periods }, (_, index) => {
    const fromMs = endMs - (periods - index) * periodSeconds * 1000;
    return statisticOf(statistic, metrics.values(metric, fromMs, fromMs + periodSeconds * 1000));
  });
}

/** Computes a statistic of a period's values. Returns undefined without values. Throws for a statistic that is not emulated. */
function statisticOf(name: string, values: readonly number[]): number | undefined {
  const compute = statistics[name] ?? percentile(name);
  if (compute === undefined)
    throw new Error(
      `The statistic ${JSON.stringify(name)} is not emulated, only ${Object.keys(statistics).join(", ")} and percentiles such as p99`,
    );
  return values.length === 0 ? undefined : compute(values);
}

type Statistic = (values: readonly number[]) => number;

const sum: Statistic = (values) => values.reduce((total, value) => total + value, 0);

const statistics: Readonly<Record<string, Statistic>> = {
  Average: (values) => sum(values) / values.length,
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
  SampleCount: (values) => values.length,
  Sum: sum,
};

/** Parses the name of a percentile, such as p99. Returns undefined for other names. */
function percentile(name: string): Statistic | undefined {
  const [, percent] = /^p(\d{1,2}(?:\.\d+)?|100)$/.exec(name) ?? [];
  if (percent === undefined) return undefined;
  return (values) => {
    const rank = Math.ceil((Number(percent) / 100) * values.length);
    return [...values].sort((a, b) => a - b)[Math.max(0, rank - 1)] ?? Number.NaN;
  };
}
