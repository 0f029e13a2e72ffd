import { TRAJECTORY_FORMATS } from 'toolgauge/values';
import { EXAMPLES, type Example } from '../examples.ts';

/** The formats behind the names in the text below: some names have several. */
const NAMED_FORMATS = TRAJECTORY_FORMATS.filter(format =>
  /^(openai|anthropic|gemini|bedrock|ai-sdk|langchain|otel)/.test(format),
).length;

/** What the page is for, as long as it is empty. */
export function Welcome({ onExample }: { readonly onExample: (example: Example) => void }) {
  return (
    <section class="welcome" aria-labelledby="welcome-heading">
      <h2 id="welcome-heading">See what went wrong</h2>
      <p>
        Paste the log of your agent. You see which calls were wrong and why, which facts in its replies no tool
        returned, and how the calls differ from the calls that you expected.
      </p>
      <p class="reads">
        Reads the logs of OpenAI, Anthropic, Gemini, Bedrock, the AI SDK, LangChain and OpenTelemetry, and{' '}
        {TRAJECTORY_FORMATS.length - NAMED_FORMATS} other formats. Tools and expected calls have their own tabs; both
        are optional.
      </p>
      <h3>Or start with an example</h3>
      <ul class="example-cards">
        {EXAMPLES.map(example => (
          <li key={example.name}>
            <button type="button" onClick={() => onExample(example)}>
              <b>{example.name}</b>
              <span>{example.description}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
