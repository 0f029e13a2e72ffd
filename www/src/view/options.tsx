import type { FailOn, IssueTypeName, RuleLevel } from 'toolgauge';
import { FAIL_ON, RULE_LEVELS, TRAJECTORY_FORMATS } from 'toolgauge/values';
import { DEFAULT_OPTIONS, type Options, type Rules } from '../checker/protocol.ts';

interface Props {
  readonly options: Options;
  readonly onChange: (options: Options) => void;
}

/** The format of the trajectory, and the choice of another format. */
export function FormatChoice({
  options,
  detected,
  onChange,
}: Props & {
  /** The format that it was read in; undefined if it was not read. */
  readonly detected: string | undefined;
}) {
  const isDetected = options.format === 'auto' && detected !== undefined;
  return (
    <label class="format">
      Format
      <select
        value={options.format}
        onChange={event => onChange({ ...options, format: event.currentTarget.value as Options['format'] })}
      >
        <option value="auto">{isDetected ? `${detected} (detected)` : 'detect'}</option>
        {TRAJECTORY_FORMATS.map(format => (
          <option key={format} value={format}>
            {format}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The options of a check. Every change takes effect at once. */
export function OptionsPanel({ options, onChange }: Props) {
  const changed = JSON.stringify({ ...options, format: 'auto' }) !== JSON.stringify(DEFAULT_OPTIONS);
  return (
    <details class="options">
      <summary>Options{changed && <span class="tally">changed</span>}</summary>
      <div class="options-body">
        <label>
          Fail on
          <select
            value={options.failOn}
            onChange={event => onChange({ ...options, failOn: event.currentTarget.value as FailOn })}
          >
            {FAIL_ON.map(severity => (
              <option key={severity}>{severity}</option>
            ))}
          </select>
        </label>
        <Slider
          name="Minimum score"
          value={options.minScore}
          onChange={minScore => onChange({ ...options, minScore })}
        />
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
          Strict: a high or critical issue makes the score 0
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={options.allowUnknownTools}
            onChange={event => onChange({ ...options, allowUnknownTools: event.currentTarget.checked })}
          />
          Allow unknown tools
        </label>
        <label>
          Task key
          <input
            type="text"
            placeholder="task_id or id"
            value={options.taskKey}
            onChange={event => onChange({ ...options, taskKey: event.currentTarget.value.trim() })}
          />
        </label>
        <RuleChoices rules={options.rules} onChange={rules => onChange({ ...options, rules })} />
        {changed && (
          <button type="button" class="link" onClick={() => onChange({ ...DEFAULT_OPTIONS, format: options.format })}>
            Back to the defaults
          </button>
        )}
      </div>
    </details>
  );
}

/** The rules without their default level. The list of issues adds a rule here. */
function RuleChoices({ rules, onChange }: { readonly rules: Rules; readonly onChange: (rules: Rules) => void }) {
  return Object.entries(rules).map(([type, level]) => (
    <label key={type}>
      {type}
      <select value={level} onChange={event => onChange(withRule(rules, type, event.currentTarget.value))}>
        {RULE_LEVELS.map(level => (
          <option key={level}>{level}</option>
        ))}
        <option value="">default</option>
      </select>
    </label>
  ));
}

/** The rules with another level for a type; an empty level means the default. */
export function withRule(rules: Rules, type: string, level: string): Rules {
  const { [type as IssueTypeName]: _, ...others } = rules;
  return level === '' ? others : { ...others, [type]: level as RuleLevel };
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
