/**
 * Starts the worker at an address. It begins as a blob, because a worker from a blob keeps to the policy of its page, on
 * any host; one from a file keeps to what the host says of that file.
 */
export function openWorker(address: string): Worker {
  const start = `import ${JSON.stringify(new URL(address, location.href).href)};`;
  const url = URL.createObjectURL(new Blob([start], { type: 'text/javascript' }));
  const worker = new Worker(url, { type: 'module' });
  // Once something comes from it, it has been loaded.
  worker.addEventListener('message', () => URL.revokeObjectURL(url), { once: true });
  return worker;
}
