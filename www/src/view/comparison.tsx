import type { ArgumentDifference, ScoredToolCall, TrajectoryScore } from 'toolgauge';
import { json } from './labels.ts';
import { Value } from './value.tsx';

interface Pair {
  readonly status: 'correct' | 'incorrect' | 'missed' | 'extra' | 'forbidden';
  readonly expected: ScoredToolCall | undefined;
  readonly actual: ScoredToolCall | undefined;
  readonly differences: readonly ArgumentDifference[];
  readonly note?: string;
}

/** Expected calls on one side, actual ones on the other. */
export function Comparison({ accuracy }: { readonly accuracy: TrajectoryScore['accuracy'] }) {
  return (
    <section class="comparison" aria-labelledby="comparison-heading">
      <h2 id="comparison-heading">Expected against actual</h2>
      <dl class="figures">
        <Figure name="F1" value={accuracy.f1} />
        <Figure name="Precision" value={accuracy.precision} />
        <Figure name="Recall" value={accuracy.recall} />
      </dl>
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
        {pairsOf(accuracy).map((pair, index) => (
          <li key={index} class={`pair ${pair.status}`}>
            <h3>
              <span class="status">{pair.status}</span>
              <span class="tool">{(pair.expected ?? pair.actual)?.tool}</span>
            </h3>
            <div class="sides">
              <Side title="Expected" call={pair.expected} differences={pair.differences} />
              <Side title="Actual" call={pair.actual} differences={pair.differences} />
            </div>
            {pair.note !== undefined && <p class="note">{pair.note}</p>}
            {pair.differences.length > 0 && (
              <ul class="differences">
                {pair.differences.map((difference, place) => (
                  <li key={place}>
                    <code>{difference.path}</code> {difference.kind}: expected{' '}
                    <code>{difference.rule ?? json(difference.expected)}</code>, got{' '}
                    <code>{json(difference.actual)}</code>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
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
}: {
  readonly title: string;
  readonly call: ScoredToolCall | undefined;
  readonly differences: readonly ArgumentDifference[];
}) {
  return (
    <div class="side">
      <h4>{title}</h4>
      {call === undefined ? (
        <p class="nothing">no call</p>
      ) : (
        <Value value={call.args} root="args" marked={differences.map(({ path }) => path)} />
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
