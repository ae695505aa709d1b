const MachineDate = Date;

let offsetMs = 0;

/** Moves this thread's `Date` ahead of the machine's clock by this many seconds. Timers and `performance.now()` stay unchanged. */
export function moveClock(offsetSeconds: number): void {
  offsetMs = offsetSeconds * 1000;
  const isMoved = offsetMs !== 0;
  globalThis.Date = isMoved ? MovedDate : MachineDate;
  Date.prototype.constructor = globalThis.Date;
}

/** Returns the seconds by which this thread's clock is ahead of the machine's clock. Other processes use the machine's clock. */
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
