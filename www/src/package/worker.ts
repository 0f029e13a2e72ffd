// What needs more than the slim build of the core can do: all of the package, loaded when it is needed.
import type { FileQuestion } from '../batch/protocol.ts';
import type { ReportQuestion } from '../judge/protocol.ts';
import { checkFile } from './check-file.ts';
import { report } from './report.ts';

self.onmessage = ({ data }: MessageEvent<FileQuestion | ReportQuestion>) => {
  if (data.kind === 'file') void checkFile(data, message => self.postMessage(message));
  else self.postMessage(report(data));
};
