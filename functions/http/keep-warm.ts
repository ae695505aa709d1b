/** Where the setting is `true`. AWS documents nowhere how long a function that nobody calls is kept. */
export const keepWarmMinutesDefault = 5;

/** All that the schedule sends. */
export const keepWarmEvent = { keepWarm: true } as const;

/**
 * Whether an event is the schedule's. Nobody outside can make one: of a request, API Gateway sends method, path, headers
 * and context beside whatever the client has chosen, which is inside of them.
 *
 * Source: Amazon API Gateway, "Input format of a Lambda function for proxy integration".
 */
export function isKeepWarmEvent(event: object): event is typeof keepWarmEvent {
  return Object.keys(event).length === 1 && "keepWarm" in event && event.keepWarm === true;
}
