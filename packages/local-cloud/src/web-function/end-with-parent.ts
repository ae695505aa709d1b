/**
 * A server's process preloads this module. It ends the process when the local cloud, which holds the other end of stdin, has ended.
 */
process.stdin
  .on("end", () => process.kill(process.pid, "SIGTERM"))
  .on("error", () => process.kill(process.pid, "SIGTERM"))
  .resume();
