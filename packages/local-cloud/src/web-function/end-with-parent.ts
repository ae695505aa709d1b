/** Preloaded by a server's process. Ends the process when the local cloud, which holds the other end of stdin, has ended. */
process.stdin
  .on("end", () => process.kill(process.pid, "SIGTERM"))
  .on("error", () => process.kill(process.pid, "SIGTERM"))
  .resume();
