import type { FailOn, TrajectoryFormat } from 'toolgauge';
import { DEFAULT_OPTIONS, type Options } from '../judge/protocol.ts';

interface Props {
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

const FAIL_ON: readonly FailOn[] = ['low', 'medium', 'high', 'critical', 'never'];

/** As a record, so that a format that the package adds is missed by the compiler. */
const FORMATS = Object.keys({
  harness: 0,
  'openai-chat': 0,
  'openai-responses': 0,
  'openai-agents': 0,
  anthropic: 0,
  'ai-sdk-ui': 0,
  'ai-sdk-model': 0,
  'ai-sdk-steps': 0,
  gemini: 0,
  bedrock: 0,
  'tau-bench': 0,
  tau2: 0,
  langchain: 0,
  langsmith: 0,
  langfuse: 0,
  'otel-genai': 0,
  openinference: 0,
  mastra: 0,
  atif: 0,
  'swe-agent': 0,
  'claude-code': 0,
  inspect: 0,
  adk: 0,
  hermes: 0,
  tooltalk: 0,
  bfcl: 0,
} satisfies Record<TrajectoryFormat, 0>) as TrajectoryFormat[];

/** What to look for, and how strictly. Every change counts at once. */
export function OptionsPanel({ options, onChange }: Props) {
  const changed = JSON.stringify(options) !== JSON.stringify(DEFAULT_OPTIONS);
  return (
    <details class="options">
      <summary>Options{changed && <span class="tally">changed</span>}</summary>
      <div class="options-body">
        <label>
          Fails on
          <select
            value={options.failOn}
            onChange={event => onChange({ ...options, failOn: event.currentTarget.value as FailOn })}
          >
            {FAIL_ON.map(severity => (
              <option key={severity}>{severity}</option>
            ))}
          </select>
        </label>
        <label>
          Format
          <select
            value={options.format}
            onChange={event => onChange({ ...options, format: event.currentTarget.value as Options['format'] })}
          >
            <option value="auto">detect</option>
            {FORMATS.map(format => (
              <option key={format}>{format}</option>
            ))}
          </select>
        </label>
        <Slider name="Least score" value={options.minScore} onChange={minScore => onChange({ ...options, minScore })} />
        <Slider
          name="Hallucination threshold"
          value={options.hallucinationThreshold}
          onChange={hallucinationThreshold => onChange({ ...options, hallucinationThreshold })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={options.strict}
            onChange={event => onChange({ ...options, strict: event.currentTarget.checked })}
          />
          Strict: any high issue makes the score 0
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={options.allowUnknownTools}
            onChange={event => onChange({ ...options, allowUnknownTools: event.currentTarget.checked })}
          />
          Let tools without a schema pass
        </label>
        {changed && (
          <button type="button" class="link" onClick={() => onChange(DEFAULT_OPTIONS)}>
            Back to the defaults
          </button>
        )}
      </div>
    </details>
  );
}

function Slider({
  name,
  value,
  onChange,
}: {
  readonly name: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}) {
  return (
    <label class="slider">
      {name}
      <input
        type="range"
        min={0}
        max={1}
        step={0.05}
        value={value}
        onInput={event => onChange(Number(event.currentTarget.value))}
      />
      <output>{value.toFixed(2)}</output>
    </label>
  );
}
