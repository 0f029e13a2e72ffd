import { useState } from 'preact/hooks';
import type { Checker } from '../checker/checker.ts';
import type { Case, Inspection, ReportSyntax } from '../checker/protocol.ts';
import { linkTarget } from '../given.ts';
import { putOnClipboard } from './clipboard.ts';

interface Props {
  readonly checker: Checker;
  readonly shown: Case;
  /** The name of the file that the trajectory is from. */
  readonly fileName: string | undefined;
  readonly inspection: Inspection | undefined;
}

const REPORTS: Readonly<Record<ReportSyntax, { readonly label: string; readonly ending: string }>> = {
  json: { label: 'JSON', ending: 'json' },
  markdown: { label: 'Markdown', ending: 'md' },
  html: { label: 'HTML', ending: 'html' },
};

const LOCAL =
  'This page is served to this machine alone: nobody else can open its links. Start toolgauge inspect with --page and the address of an inspector that others can open, or give away a file.';

/** What a user can take away: a link, reports, a test. */
export function TakeAway({ checker, shown, fileName, inspection }: Props) {
  const [status, setStatus] = useState('');
  /** A link that is copied only if the user still wants it. */
  const [doubtful, setDoubtful] = useState<string>();
  /** Whether the link leads only to this machine, so that a file is the better thing to give away. */
  const [isLocal, setLocal] = useState(false);

  const copy = async (text: string, done: string, otherwise: string) => {
    setDoubtful(undefined);
    setLocal(false);
    setStatus((await putOnClipboard(text)) ? done : otherwise);
  };

  const giveLink = async (link: string) => {
    await copy(
      link,
      'Link copied. It holds everything that you see.',
      'The browser does not let this page copy: see its address.',
    );
  };

  const makeLink = async () => {
    const { LONG_LINK, toFragment } = await import('../link.ts');
    const { kind, address } = linkTarget();
    const link = new URL(await toFragment(shown), address).href;
    if (kind === 'this machine') {
      setDoubtful(link);
      setLocal(true);
      return setStatus(LOCAL);
    }
    if (link.length <= LONG_LINK) return giveLink(link);
    setDoubtful(link);
    setStatus(`The link has ${link.length.toLocaleString('en')} characters: mail and chat programs cut such links.`);
  };

  const copyTest = async () => {
    if (inspection === undefined) return;
    const { vitestTest } = await import('../vitest-test.ts');
    const test = vitestTest(inspection, shown.documents, shown.options);
    await copy(test, `Test copied. ${meaningOf(inspection)}`, 'The browser does not let this page copy.');
  };

  const downloadReport = async (as: ReportSyntax) => {
    setDoubtful(undefined);
    setLocal(false);
    setStatus('Writing the report…');
    const source = fileName === undefined ? {} : { source: fileName };
    const answer = await checker.ask({ kind: 'report', as, ...shown, ...source });
    if (answer.kind !== 'reported') {
      const reason = answer.kind === 'unreadable' ? answer.problems[0]?.message : undefined;
      return setStatus(`The report could not be written. ${reason ?? ''}`);
    }
    const name = `${inspection?.trajectory.trajectory_id ?? 'toolgauge'}`.replaceAll(/[^\w.-]+/g, '-').slice(0, 60);
    download(`${name || 'toolgauge'}.${REPORTS[as].ending}`, answer.text);
    setStatus('Report downloaded.');
  };

  return (
    <section class="take-away" aria-label="Take away">
      <button type="button" class="button" onClick={makeLink}>
        Copy link
      </button>
      {inspection !== undefined && (
        <button type="button" class="button" onClick={copyTest}>
          Copy as Vitest test
        </button>
      )}
      <fieldset class="reports">
        <legend>Download the report</legend>
        <span aria-hidden="true">Report</span>
        {(Object.keys(REPORTS) as ReportSyntax[]).map(as => (
          <button
            key={as}
            type="button"
            class="button"
            aria-label={`${REPORTS[as].label} report`}
            onClick={() => downloadReport(as)}
          >
            {REPORTS[as].label}
          </button>
        ))}
      </fieldset>
      <p class="outcome" role="status">
        {status}{' '}
        {isLocal && (
          <button type="button" class="link" onClick={() => downloadReport('html')}>
            Download as one HTML file
          </button>
        )}{' '}
        {doubtful !== undefined && (
          <button type="button" class="link" onClick={() => giveLink(doubtful)}>
            Copy it anyway
          </button>
        )}
      </p>
    </section>
  );
}

/** When the test of a trajectory fails. */
function meaningOf({ findings, facts, accuracy }: Inspection): string {
  const isFaulty = findings.length > 0 || facts.length > 0 || (accuracy !== undefined && accuracy.score < 1);
  return isFaulty ? 'It fails until the agent is fixed.' : 'It passes as long as the agent does this right.';
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
