import { Construct } from "constructs";
import type { Settings } from "../settings.ts";
import type { Storage } from "../storage.ts";
import { AlarmTopic } from "./alarm-topic.ts";
import { Alarms, type AlarmTargets } from "./alarms.ts";
import { CostAnomaly } from "./cost-anomaly.ts";
import { Dashboard } from "./dashboard.ts";
import { MonthlyBudget } from "./monthly-budget.ts";

export interface MonitoringProps extends Omit<AlarmTargets, "table"> {
  readonly storage: Storage;
  readonly settings: Pick<
    Settings,
    "alarmEmail" | "costAnomalyDollars" | "dashboard" | "monthlyBudgetDollars"
  >;
}

/** Alarms and the dashboard. docs/runbook.md describes the response to each alarm. */
export class Monitoring extends Construct {
  /** ARN of the alarm topic. */
  readonly topicArn: string;

  constructor(scope: Construct, id: string, { settings, storage, ...rest }: MonitoringProps) {
    super(scope, id);
    const { alarmEmail, costAnomalyDollars, dashboard = false, monthlyBudgetDollars } = settings;
    const { topic } = new AlarmTopic(this, "Topic", { email: alarmEmail });
    const topicPolicy = topic.node.findChild("Policy");
    const targets = { ...rest, table: storage.table };
    const alarms = new Alarms(this, "Alarms", { ...targets, topic });
    if (dashboard) new Dashboard(this, "Dashboard", { ...targets, alarms, storage });
    if (costAnomalyDollars !== undefined) {
      const anomaly = new CostAnomaly(this, "CostAnomaly", { dollarsMin: costAnomalyDollars, topic });
      anomaly.node.addDependency(topicPolicy);
    }
    if (monthlyBudgetDollars !== undefined) {
      const budget = new MonthlyBudget(this, "MonthlyBudget", { dollars: monthlyBudgetDollars, topic });
      budget.node.addDependency(topicPolicy);
    }
    this.topicArn = topic.topicArn;
  }
}
