import { useState } from 'preact/hooks';
import type { RepairChange } from 'toolgauge';
import type { Correction } from '../checker/protocol.ts';
import { putOnClipboard } from './clipboard.ts';
import { count, json } from './labels.ts';
import { Value } from './value.tsx';

/** At most this many changes are shown at first. */
const MOST_CHANGES = 12;

/** Longer values are cut, in characters. The copied call is complete. */
const LONGEST_VALUE = 160;

/** An attempt to copy. */
interface Copy {
  readonly of: Correction;
  /** Whether the browser allowed it. */
  readonly isDone: boolean;
}

/** The correction of an invalid call: each change, and a button to copy the corrected call. */
export function CorrectionBlock({ correction }: { readonly correction: Correction }) {
  const { corrected, changes } = correction;
  const [showsAll, setShowsAll] = useState(false);
  const [copy, setCopy] = useState<Copy>();
  // The element stays when the next result has another correction for this call.
  const isCopied = copy?.of === correction ? copy.isDone : undefined;
  const shown = showsAll ? changes : changes.slice(0, MOST_CHANGES);

  const copyCall = async () => {
    setCopy(undefined);
    setCopy({ of: correction, isDone: await putOnClipboard(JSON.stringify(corrected, null, 2)) });
  };

  return (
    <div class="correction">
      <h4>Suggested correction</h4>
      <ul class="changes">
        {shown.map((change, index) => (
          <li key={index}>
            {change.description}
            <Difference change={change} />
          </li>
        ))}
      </ul>
      {shown.length < changes.length && (
        <button type="button" class="link" onClick={() => setShowsAll(true)}>
          Show all {count(changes.length, 'change')}
        </button>
      )}
      <div class="copy-call">
        <button type="button" class="button" aria-label={`Copy corrected call of ${corrected.name}`} onClick={copyCall}>
          Copy corrected call
        </button>
        <p class="outcome" role="status">
          {isCopied === true && 'Corrected call copied.'}
          {isCopied === false && 'The browser does not let this page copy: select the call below.'}
        </p>
      </div>
      {isCopied === false && <Value value={corrected} isExact />}
    </div>
  );
}

/** One change: the path, and the values before and after. A renamed argument keeps its value. */
function Difference({ change }: { readonly change: RepairChange }) {
  const { kind, path, from, to } = change;
  const isRenamed = kind === 'renamed';
  return (
    <p class="difference">
      {!isRenamed && (
        <>
          <code>{path || (kind === 'tool_name' ? 'name' : 'arguments')}</code>{' '}
        </>
      )}
      <del>{isRenamed ? path : json(from, LONGEST_VALUE)}</del>{' '}
      <span role="img" aria-label="becomes">
        →
      </span>{' '}
      <ins>{isRenamed ? String(to) : json(to, LONGEST_VALUE)}</ins>
    </p>
  );
}
