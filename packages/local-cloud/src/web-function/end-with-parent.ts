/** A server's process preloads this module. It ends the process when stdin closes, which means that the local cloud has ended. */
process.stdin
  .on("end", () => process.kill(process.pid, "SIGTERM"))
  .on("error", () => process.kill(process.pid, "SIGTERM"))
  .resume();
