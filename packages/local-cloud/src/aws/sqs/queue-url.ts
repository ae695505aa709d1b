const ORIGIN = "https://sqs.us-east-1.amazonaws.com";

/**
 * Gives the text with the addresses of queues below `endpointUrl`. The SDK sends to the host that a queue's URL
 * names, whatever AWS_ENDPOINT_URL says, so that whoever gets a URL from the template needs the local one.
 */
export function withLocalQueueUrls(text: string, endpointUrl: string): string {
  return text.replaceAll(`${ORIGIN}/`, `${endpointUrl.replace(/\/$/, "")}/`);
}
