/**
 * Counts how many blocks of its scripts the page's main thread runs: a number that does not depend on the machine's speed.
 * Loads the page anew, because what is compiled already isn't counted. The returned function gives the number since it was
 * last called.
 */
export async function countScripts(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await page.reload();
  return async () => {
    const { result } = await session.send('Profiler.takePreciseCoverage');
    const ranges = result.flatMap(({ functions }) => functions.flatMap(script => script.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  };
}
