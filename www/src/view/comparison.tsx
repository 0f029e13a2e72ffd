import { useState } from 'preact/hooks';
import type { ArgumentDifference, ScoredToolCall, TrajectoryScore } from 'toolgauge';
import { count, json } from './labels.ts';
import { Value } from './value.tsx';

interface Pair {
  readonly status: 'correct' | 'incorrect' | 'missed' | 'extra' | 'forbidden';
  readonly expected: ScoredToolCall | undefined;
  readonly actual: ScoredToolCall | undefined;
  readonly differences: readonly ArgumentDifference[];
  readonly note?: string;
}

/** With what the calls are compared. */
type Kind = 'expected' | 'before';

/** How both sides, and the pairs, are named. */
const NAMES = {
  expected: {
    heading: 'Expected against actual',
    sides: ['Expected', 'Actual'],
    differs: 'expected',
    same: 'as expected',
    status: { correct: 'correct', incorrect: 'incorrect', missed: 'missed', extra: 'extra', forbidden: 'forbidden' },
  },
  before: {
    heading: 'Calls before and after',
    sides: ['Before', 'After'],
    differs: 'before',
    same: 'the same as before',
    status: { correct: 'same', incorrect: 'changed', missed: 'gone', extra: 'new', forbidden: 'forbidden' },
  },
} as const;

/** Expected or earlier calls on one side, actual ones on the other. What is the same is folded until the user wants it. */
export function Comparison({
  kind,
  accuracy,
}: {
  readonly kind: Kind;
  readonly accuracy: TrajectoryScore['accuracy'];
}) {
  const [onlyDifferences, setOnlyDifferences] = useState(true);
  const pairs = pairsOf(accuracy);
  const shown = onlyDifferences ? pairs.filter(({ status }) => status !== 'correct') : pairs;
  const names = NAMES[kind];
  const id = `comparison-${kind}`;
  return (
    <section class="comparison" aria-labelledby={id}>
      <div class="comparison-bar">
        <h2 id={id}>{names.heading}</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={onlyDifferences}
            onChange={event => setOnlyDifferences(event.currentTarget.checked)}
          />
          Only differences
        </label>
      </div>
      {kind === 'expected' && (
        <dl class="figures">
          <Figure name="F1" value={accuracy.f1} />
          <Figure name="Precision" value={accuracy.precision} />
          <Figure name="Recall" value={accuracy.recall} />
        </dl>
      )}
      {accuracy.failures !== undefined && (
        <ul class="unmet" aria-label="Not as expected">
          {accuracy.failures.map(failure => (
            <li key={failure}>{failure}</li>
          ))}
        </ul>
      )}
      {accuracy.warnings?.map(warning => (
        <p key={warning} class="note">
          {warning}
        </p>
      ))}
      <ol class="pairs">
        {shown.map((pair, index) => (
          <li key={index} class={`pair ${pair.status}`}>
            <h3>
              <span class="status">{names.status[pair.status]}</span>
              <span class="tool">{(pair.expected ?? pair.actual)?.tool}</span>
            </h3>
            <div class="sides">
              {([pair.expected, pair.actual] as const).map((call, side) => (
                <Side
                  key={side}
                  title={names.sides[side] ?? ''}
                  call={call}
                  differences={pair.differences}
                  onlyDifferences={onlyDifferences}
                />
              ))}
            </div>
            {pair.note !== undefined && <p class="note">{pair.note}</p>}
            {pair.differences.length > 0 && (
              <ul class="differences">
                {pair.differences.map((difference, place) => (
                  <li key={place}>
                    <code>{difference.path}</code> {difference.kind}: {names.differs}{' '}
                    <code>{difference.rule ?? json(difference.expected)}</code>, {kind === 'before' ? 'after' : 'got'}{' '}
                    <code>{json(difference.actual)}</code>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      {shown.length < pairs.length && (
        <button type="button" class="link" onClick={() => setOnlyDifferences(false)}>
          Show {count(pairs.length - shown.length, 'call')} {names.same}
        </button>
      )}
      {pairs.length === 0 && <p class="calm">No calls.</p>}
    </section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value.toFixed(3)}</dd>
    </div>
  );
}

function Side({
  title,
  call,
  differences,
  onlyDifferences,
}: {
  readonly title: string;
  readonly call: ScoredToolCall | undefined;
  readonly differences: readonly ArgumentDifference[];
  /** Whether the arguments that are the same on both sides are folded. */
  readonly onlyDifferences: boolean;
}) {
  return (
    <div class="side">
      <h4>{title}</h4>
      {call === undefined ? (
        <p class="nothing">no call</p>
      ) : (
        <Value
          value={call.args}
          root="args"
          marked={differences.map(({ path }) => path)}
          onlyMarked={onlyDifferences}
        />
      )}
    </div>
  );
}

function pairsOf(accuracy: TrajectoryScore['accuracy']): Pair[] {
  return [
    ...(accuracy.forbiddenCalls ?? []).map(
      (call): Pair => ({ status: 'forbidden', expected: undefined, actual: call.actual, differences: [] }),
    ),
    ...accuracy.incorrectCalls.map(
      ({ expected, actual, differences, details, reason }): Pair => ({
        status: 'incorrect',
        expected,
        actual,
        differences,
        ...((reason === 'order' || reason === 'turn') && { note: details }),
      }),
    ),
    ...accuracy.missedCalls.map(
      ({ expected }): Pair => ({ status: 'missed', expected, actual: undefined, differences: [] }),
    ),
    ...accuracy.extraCalls.map((actual): Pair => ({ status: 'extra', expected: undefined, actual, differences: [] })),
    ...accuracy.correctCalls.map(
      ({ expected, actual }): Pair => ({ status: 'correct', expected, actual, differences: [] }),
    ),
  ];
}
