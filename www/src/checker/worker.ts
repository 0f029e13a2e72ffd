import { version } from 'toolgauge';
import { setModuleSource } from '../../../pkg-template/src/boundary/instance.ts';
import { answer } from './answer.ts';
import { checkFile } from './check-file.ts';
import type { ToWorker } from './protocol.ts';

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'start':
      start(data.module);
      return self.postMessage('ready');
    case 'file':
      return void checkFile(data, message => self.postMessage(message));
    default:
      return void answer(data).then(found => self.postMessage({ ...found, id: data.id }));
  }
};

/** Starts the core at once, so that the first check does not wait for it. */
function start(module: WebAssembly.Module): void {
  setModuleSource(() => module);
  version();
}
