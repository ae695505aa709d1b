/** Preloaded by a server's process: ends it when the local cloud is gone, which held the other end of stdin. */
process.stdin
  .on("end", () => process.kill(process.pid, "SIGTERM"))
  .on("error", () => process.kill(process.pid, "SIGTERM"))
  .resume();
