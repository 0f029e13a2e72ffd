import { answer, prepare } from './judge.ts';
import type { Numbered, Question } from './protocol.ts';

prepare();

self.onmessage = ({ data }: MessageEvent<Numbered<Question>>) => self.postMessage({ ...answer(data), id: data.id });
