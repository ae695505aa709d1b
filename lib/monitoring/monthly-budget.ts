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
 * Reports when the stack's actual or forecast cost of the month exceeds the limit. It stops nothing. AWS Cost Management
 * user guide, "Managing your costs with AWS Budgets": AWS updates a budget up to three times a day, a budget without
 * actions is free, and a forecast needs about five weeks of usage.
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { dollars, topic }: MonthlyBudgetProps) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    new CfnBudget(this, "Budget", {
      budget: {
        // Change the name with the notifications: CloudFormation then replaces the budget.
        budgetName: `${stackName}-monthly-budget`,
        budgetType: "COST",
        timeUnit: "MONTHLY",
        budgetLimit: { amount: dollars, unit: "USD" },
        // AWS Billing API reference, "Budget": a user's tag is written `user:<key>$<value>`.
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
