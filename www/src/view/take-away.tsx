import { useState } from 'preact/hooks';
import type { Documents, Judged, Options } from '../judge/protocol.ts';
import { LONG_LINK, toFragment } from '../link.ts';
import { jsonReport, markdownReport, vitestTest } from '../report.ts';

interface Props {
  readonly judged: Judged;
  readonly documents: Documents;
  readonly options: Options;
}

/** What may be taken away: a link, reports, a test. */
export function TakeAway({ judged, documents, options }: Props) {
  const [said, setSaid] = useState('');
  const { inspection } = judged;

  const copy = async (text: string, done: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(done);
    } catch {
      setSaid('The browser does not let this page copy.');
    }
  };

  const copyLink = async () => {
    const fragment = await toFragment({ documents, options });
    history.replaceState(null, '', fragment);
    const { length } = location.href;
    const warning = ` It has ${length.toLocaleString('en')} characters: some programs cut such links.`;
    await copy(location.href, `Link copied; it holds all that you see.${length > LONG_LINK ? warning : ''}`);
  };

  return (
    <div class="take-away">
      <button type="button" class="link" onClick={copyLink}>
        Copy link
      </button>
      <button type="button" class="link" onClick={() => download('toolgauge.json', jsonReport(judged))}>
        JSON report
      </button>
      <button type="button" class="link" onClick={() => download('toolgauge.md', markdownReport(judged))}>
        Markdown report
      </button>
      {inspection !== undefined && (
        <button
          type="button"
          class="link"
          onClick={() =>
            copy(vitestTest(inspection, documents), 'Test copied: it fails until the grave issues are gone.')
          }
        >
          Copy as Vitest test
        </button>
      )}
      <span class="said" role="status">
        {said}
      </span>
    </div>
  );
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
