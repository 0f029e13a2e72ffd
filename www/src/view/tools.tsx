import type { Severity } from 'toolgauge';
import type { Lint, ToolTotal } from '../checker/protocol.ts';
import { FoldedPanel } from './fold.tsx';
import { count, duration, SEVERITIES, size } from './labels.ts';
import { Wide } from './wide.tsx';

/** At most this many issues of tool definitions are listed; `toolgauge lint-tools` lists all. */
const MOST_LISTED = 100;

interface Props {
  readonly tools: readonly ToolTotal[];
  readonly lint: Lint | undefined;
  /** The tool whose turns the timeline shows; undefined for all. */
  readonly chosen: string | undefined;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  /** Shows only the turns that call a tool, or all again. */
  readonly onChoose: (tool: string | undefined) => void;
  /** Shows the place of an issue in the definitions. */
  readonly onPlace: (path: string) => void;
}

/** What the calls of each tool show together, and what is wrong with the definitions. */
export function ToolsPanel({ tools, lint, chosen, isOpen, onToggle, onChoose, onPlace }: Props) {
  if (tools.length === 0 && lint === undefined) return null;
  return (
    <FoldedPanel name="Tools" brief={briefOf(tools, lint)} isOpen={isOpen} onToggle={onToggle}>
      {() => (
        <>
          {tools.length > 0 && <Totals tools={tools} chosen={chosen} onChoose={onChoose} />}
          {lint !== undefined && <LintIssues lint={lint} onPlace={onPlace} />}
        </>
      )}
    </FoldedPanel>
  );
}

function briefOf(tools: readonly ToolTotal[], lint: Lint | undefined): string {
  const errors = tools.reduce((sum, tool) => sum + tool.errors, 0);
  const parts = [
    ...(tools.length > 0 ? [`${count(tools.length, 'tool')} called`] : []),
    ...(errors > 0 ? [count(errors, 'error')] : []),
    ...(lint === undefined ? [] : [`${count(lint.result.tools, 'definition')}, ${problemsOf(lint)}`]),
  ];
  return parts.join(' · ');
}

function problemsOf({ result: { issues, errors = [] } }: Lint): string {
  const found = issues.length + errors.length;
  return found === 0 ? 'no issues' : `${count(found, 'issue')} of the definitions`;
}

function Totals({ tools, chosen, onChoose }: Pick<Props, 'tools' | 'chosen' | 'onChoose'>) {
  const hasSeconds = tools.some(({ seconds }) => seconds !== undefined);
  return (
    <Wide name="Totals by tool">
      <table class="figures-table tool-totals">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Calls</th>
            <th scope="col">Errors</th>
            <th scope="col">Issues</th>
            {hasSeconds && <th scope="col">Median time</th>}
            {hasSeconds && <th scope="col">Longest</th>}
            <th scope="col">Median result</th>
            <th scope="col">Largest</th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, calls, errors, issues, seconds, size: sizes }) => (
            <tr key={name} class={name === chosen ? 'chosen' : ''}>
              <th scope="row">
                <button
                  type="button"
                  class="link tool"
                  aria-pressed={name === chosen}
                  onClick={() => onChoose(name === chosen ? undefined : name)}
                >
                  {name === '' ? 'no name' : name}
                </button>
              </th>
              <td>{calls.toLocaleString('en')}</td>
              <td class={errors > 0 ? 'some' : 'none'}>{errors.toLocaleString('en')}</td>
              <td>
                <Severities issues={issues} />
              </td>
              {hasSeconds && <td>{seconds === undefined ? '–' : duration(seconds.median)}</td>}
              {hasSeconds && <td>{seconds === undefined ? '–' : duration(seconds.most)}</td>}
              <td>{size(sizes.median)}</td>
              <td>{size(sizes.most)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">A tool narrows the timeline to its turns. Results are measured in characters of JSON.</p>
    </Wide>
  );
}

function Severities({ issues }: { readonly issues: Readonly<Record<Severity, number>> }) {
  const found = SEVERITIES.filter(severity => issues[severity] > 0);
  if (found.length === 0) return <span class="none">0</span>;
  return (
    <span class="severity-counts">
      {found.map(severity => (
        <span key={severity} class={`badge ${severity}`}>
          {issues[severity].toLocaleString('en')} {severity}
        </span>
      ))}
    </span>
  );
}

/** What is wrong with the tool definitions. */
export function LintIssues({
  lint,
  isAlone = false,
  onPlace,
}: {
  readonly lint: Lint;
  /** Whether it stands on its own, and not in the panel of the tools. Default `false`. */
  readonly isAlone?: boolean;
} & Pick<Props, 'onPlace'>) {
  const Heading = isAlone ? 'h2' : 'h3';
  const { issues, errors = [], score, tools } = lint.result;
  const listed = issues.slice(0, MOST_LISTED);
  return (
    <section class="lint" aria-labelledby="lint-heading">
      <Heading id="lint-heading">Lint of the definitions</Heading>
      <p class="quiet">
        {count(tools, 'definition')}
        {lint.document === 'trajectory' && ' in the trajectory'}, score {score}
        {issues.length === 0 && errors.length === 0 && ': no issue was found'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, a keyboard can't scroll the list */}
      <ul class="tasks" aria-label="Issues of the definitions" tabIndex={0}>
        {errors.map(({ message, path = '' }) => (
          <li key={message}>
            <span class="badge critical">unreadable</span> {message} <Place path={path} onPlace={onPlace} />
          </li>
        ))}
        {listed.map(({ type, severity, description, details }, index) => (
          <li key={index}>
            <span class={`badge ${severity}`}>{severity}</span> <b>{type}</b> {description}
            {details?.hint !== undefined && <span class="quiet"> {details.hint}</span>}{' '}
            <Place path={details?.path ?? ''} onPlace={onPlace} />
          </li>
        ))}
      </ul>
      {listed.length < issues.length && <p class="quiet">and {count(issues.length - listed.length, 'issue')} more</p>}
    </section>
  );
}

function Place({ path, onPlace }: { readonly path: string } & Pick<Props, 'onPlace'>) {
  return (
    <button type="button" class="link" aria-label={`Show ${path} in the text`} onClick={() => onPlace(path)}>
      In the text
    </button>
  );
}
