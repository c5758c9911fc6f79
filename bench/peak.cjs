// Preloaded into a measured process: at its end it tells its peak memory and the processor time it took.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  writeFileSync(process.env.BENCH_PEAK_FILE, JSON.stringify({ cpuMs: (user + system) / 1000, peakBytes }));
});
