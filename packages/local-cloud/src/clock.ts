const MachineDate = Date;

let offsetMs = 0;

/**
 * Moves the clock of this thread, which is `Date`: so many seconds ahead of the machine's. Timers and `performance.now()` go on as they
 * are.
 */
export function moveClock(offsetSeconds: number): void {
  offsetMs = offsetSeconds * 1000;
  const isMoved = offsetMs !== 0;
  globalThis.Date = isMoved ? MovedDate : MachineDate;
  Date.prototype.constructor = globalThis.Date;
}

/** Seconds by which this thread's clock is ahead of the machine's, which the processes of others have. */
export function clockOffsetSeconds(): number {
  return offsetMs / 1000;
}

function now(): number {
  return MachineDate.now() + offsetMs;
}

const MovedDate = new Proxy(MachineDate, {
  apply: () => new MachineDate(now()).toString(),
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
});
