import { checkFile } from '../batch/check-file.ts';
import type { FileQuestion } from '../batch/protocol.ts';
import { answer, prepare } from './judge.ts';
import type { Numbered, Question } from './protocol.ts';

prepare();

self.onmessage = ({ data }: MessageEvent<Numbered<Question> | FileQuestion>) => {
  if (data.kind === 'file') void checkFile(data, message => self.postMessage(message));
  else self.postMessage({ ...answer(data), id: data.id });
};
