/**
 * Computes a statistic of the values of a period; undefined without values.
 *
 * Source: Amazon CloudWatch user guide, "CloudWatch statistics definitions".
 *
 * @throws Error that names a statistic that is not emulated
 */
export function statisticOf(name: string, values: readonly number[]): number | undefined {
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

/** Percentile of the values. */
function percentile(name: string): Statistic | undefined {
  const [, percent] = /^p(\d{1,2}(?:\.\d+)?|100)$/.exec(name) ?? [];
  if (percent === undefined) return undefined;
  return (values) => {
    const rank = Math.ceil((Number(percent) / 100) * values.length);
    return [...values].sort((a, b) => a - b)[Math.max(0, rank - 1)] ?? Number.NaN;
  };
}
