import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Stack } from "aws-cdk-lib/core";
import { Construct } from "constructs";
import { stackTag } from "./cost-anomaly.ts";

export interface MonthlyBudgetProps {
  /** Limit of the stack's cost in a calendar month, in dollars. */
  readonly dollars: number;
  readonly topic: ITopic;
}

/**
 * Tells when the stack's month has cost, or is going to cost, more than was meant. It stops nothing. AWS Cost Management
 * user guide, "Managing your costs with AWS Budgets": a budget is brought up to date up to three times a day, and one
 * without actions costs nothing; a forecast needs about five weeks of usage.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, topic }: MonthlyBudgetProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new CfnBudget(this, "Budget", {
      budget: {
        // Other notifications than these need another name: CloudFormation replaces the budget for them.
        budgetName: `${stackName}-monthly-budget`,
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: dollars, unit: "USD" },
        // AWS Billing API reference, "Budget": a tag that users gave is `user:<key>$<value>` there.
        costFilters: { TagKeyValue: [`user:${stackTag}$${stackName}`] },
      },
      notificationsWithSubscribers: ["FORECASTED", "ACTUAL"].map((notificationType) => ({
        notification: {
          notificationType,
          comparisonOperator: "GREATER_THAN",
          threshold: 100,
          thresholdType: "PERCENTAGE",
        },
        subscribers: [{ subscriptionType: "SNS", address: topic.topicArn }],
      })),
    });
  }
}
