import { DynamoDBClient, UpdateItemCommand } from "@aws-sdk/client-dynamodb";

// Every function of the local cloud has AWS_ENDPOINT_URL, from which the SDK gets the endpoint.
const client = new DynamoDBClient();

/** Serves POST /visits. Counts a visit and returns the number of visits. */
export async function handler() {
  const { Attributes } = await client.send(
    new UpdateItemCommand({
      TableName: process.env.TABLE,
      Key: { page: { S: "home" } },
      UpdateExpression: "ADD visits :one",
      ExpressionAttributeValues: { ":one": { N: "1" } },
      ReturnValues: "ALL_NEW",
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ visits: Number(Attributes?.visits?.N) }) };
}
