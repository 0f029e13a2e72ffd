import type { Answer, ReportQuestion } from '../judge/protocol.ts';
import { openWorker } from '../open-worker.ts';
import address from './worker.ts?worker&url';

/** Has a report written, in a worker of its own, which is loaded for it. */
export function writeReport(question: ReportQuestion): Promise<Answer> {
  const worker = openWorker(address);
  return new Promise<Answer>(resolve => {
    worker.onmessage = ({ data }: MessageEvent<Answer>) => resolve(data);
    worker.onerror = ({ message }) => resolve(failed(message || NOT_LOADED));
    worker.postMessage(question);
  }).finally(() => worker.terminate());
}

const NOT_LOADED = 'What writes it could not be loaded. Is there a connection?';

function failed(message: string): Answer {
  return { kind: 'unreadable', problems: [{ document: 'trajectory', code: 'internal', message }] };
}
