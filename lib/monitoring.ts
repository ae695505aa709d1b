import { Construct } from "constructs";
import { AlarmTopic } from "./alarm-topic.ts";
import { Alarms, type AlarmTargets } from "./alarms.ts";
import { CostAnomaly } from "./cost-anomaly.ts";
import { Dashboard } from "./dashboard.ts";
import type { Settings } from "./settings.ts";
import type { Storage } from "./storage.ts";

export interface MonitoringProps extends Omit<AlarmTargets, "table"> {
  readonly storage: Storage;
  readonly settings: Pick<Settings, "alarmEmail" | "costAnomalyDollars">;
}

/** What tells an operator that something is wrong, and shows what. docs/runbook.md says what to do then. */
export class Monitoring extends Construct {
  /** Where the alarms are told. */
  readonly topicArn: string;

  constructor(scope: Construct, id: string, { settings, storage, ...rest }: MonitoringProps) {
    super(scope, id);
    const { alarmEmail, costAnomalyDollars } = settings;
    const { topic } = new AlarmTopic(this, "Topic", { email: alarmEmail });
    const targets = { ...rest, table: storage.table };
    const alarms = new Alarms(this, "Alarms", { ...targets, topic });
    new Dashboard(this, "Dashboard", { ...targets, alarms, storage });
    if (costAnomalyDollars !== undefined) {
      new CostAnomaly(this, "CostAnomaly", { dollarsMin: costAnomalyDollars, topic });
    }
    this.topicArn = topic.topicArn;
  }
}
