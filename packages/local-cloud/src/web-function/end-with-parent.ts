/**
 * This module is preloaded by a server's process. It ends the process after the local cloud, which holds the other end of stdin, has ended.
 */
process.stdin
  .on("end", () => process.kill(process.pid, "SIGTERM"))
  .on("error", () => process.kill(process.pid, "SIGTERM"))
  .resume();
