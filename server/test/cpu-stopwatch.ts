/**
 * How many milliseconds this process itself has computed since then. Others that keep the machine busy do not make it
 * longer, so that a limit is about our code. A limit is so generous that only what grows out of bounds meets it.
 */
export function startCpuStopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
