// What needs more than the slim build of the core can do: all of the package, loaded when it is needed.
import type { FileQuestion } from '../batch/protocol.ts';
import { answer } from '../judge/judge.ts';
import type { Numbered, Question, ReportQuestion } from '../judge/protocol.ts';
import { checkFile } from './check-file.ts';
import { report } from './report.ts';

self.onmessage = ({ data }: MessageEvent<FileQuestion | Numbered<Question | ReportQuestion>>) => {
  if (data.kind === 'file') void checkFile(data, message => self.postMessage(message));
  else self.postMessage({ ...(data.kind === 'report' ? report(data) : answer(data)), id: data.id });
};
