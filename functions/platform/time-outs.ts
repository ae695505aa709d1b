/** What a client of the AWS SDK takes as its request handler's settings. */
interface TimeOuts {
  readonly connectionTimeout: number;
  readonly requestTimeout: number;
  readonly throwOnRequestTimeout: true;
  readonly socketTimeout: number;
}

/** Every client's time-outs, of which a second try within a request is to leave room: `responseMs` without a sign of AWS end one. */
export function timeOuts(responseMs: number): TimeOuts {
  return {
    connectionTimeout: 1_000,
    requestTimeout: responseMs,
    throwOnRequestTimeout: true,
    // The one before is over when a response begins; this is for a response that stops.
    socketTimeout: responseMs,
  };
}
