import { useState } from 'preact/hooks';
import type { RepairChange } from 'toolgauge';
import type { Correction } from '../checker/protocol.ts';
import { putOnClipboard } from './clipboard.ts';
import { count, json } from './labels.ts';
import { Value } from './value.tsx';

/** The rest is folded. */
const MOST_CHANGES = 12;

/** Longer values are cut; the copy has them whole. */
const LONGEST_VALUE = 160;

/** An attempt to copy. */
interface Copy {
  readonly of: Correction;
  /** Whether the browser let the page copy. */
  readonly isDone: boolean;
}

/** What an invalid call should have been: each change, and the call to copy. */
export function CorrectionBlock({ correction }: { readonly correction: Correction }) {
  const { corrected, changes } = correction;
  const [whole, setWhole] = useState(false);
  const [copy, setCopy] = useState<Copy>();
  // The element outlives the correction: the next verdict may have another one for this place.
  const isCopied = copy?.of === correction ? copy.isDone : undefined;
  const shown = whole ? changes : changes.slice(0, MOST_CHANGES);

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
        <button type="button" class="link" onClick={() => setWhole(true)}>
          Show all {count(changes.length, 'change')}
        </button>
      )}
      <div class="copy-call">
        <button type="button" class="button" aria-label={`Copy corrected call of ${corrected.name}`} onClick={copyCall}>
          Copy corrected call
        </button>
        <p class="said" role="status">
          {isCopied === true && 'Corrected call copied.'}
          {isCopied === false && 'The browser does not let this page copy: select the call below.'}
        </p>
      </div>
      {isCopied === false && <Value value={corrected} />}
    </div>
  );
}

/** One change as a path and what is there before and after; a renamed argument keeps its value. */
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
