import type { Documents } from './checker/protocol.ts';

/** Something to start from. */
export interface Example {
  readonly name: string;
  readonly description: string;
  readonly documents: Documents;
}

/** The texts of the repository's examples that the page offers, by path. The bundler inlines them. */
const TEXTS = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>(
      [
        '../../examples/{chat,clean,expected,refund,rollouts,shop.tools}.json',
        '../../examples/results/{claimed_action,hallucinated_content}.json',
        '../../examples/outputs/{malformed_result,tools}.json',
        '../../examples/runs/{before,after}.jsonl',
        '../../examples/trials.jsonl',
      ],
      { query: '?raw', import: 'default', eager: true },
    ),
  ).map(([path, text]) => [path.replace('../../examples/', ''), text]),
);

const example = (
  name: string,
  description: string,
  trajectory: string,
  tools?: string,
  { expected, before }: { readonly expected?: string; readonly before?: string } = {},
): Example => ({
  name,
  description,
  documents: {
    trajectory: textOf(trajectory),
    tools: textOf(tools),
    expected: textOf(expected),
    before: textOf(before),
  },
});

function textOf(path: string | undefined): string {
  return path === undefined ? '' : (TEXTS[path] ?? '');
}

const SHOP = 'shop.tools.json';

export const EXAMPLES: readonly Example[] = [
  example(
    'A refund gone wrong',
    'Wrong arguments, a deprecated tool, an amount that no result contains; compared with the expected calls',
    'refund.json',
    SHOP,
    { expected: 'expected.json' },
  ),
  example(
    'An invented date',
    'The reply states a date that no tool returned',
    'results/hallucinated_content.json',
    SHOP,
  ),
  example('OpenAI chat messages', 'Parallel calls in another format', 'chat.json', SHOP),
  example(
    'A promise that nothing kept',
    'The reply says that something was done, and no tool did it',
    'results/claimed_action.json',
    SHOP,
  ),
  example(
    'A result of the wrong shape',
    'Checked against the output schema',
    'outputs/malformed_result.json',
    'outputs/tools.json',
  ),
  example('Several rollouts', 'One file; each rollout has its own expected calls', 'rollouts.json', SHOP),
  example(
    'Trials of a task',
    'The same tasks several times: how often the agent gets them right',
    'trials.jsonl',
    undefined,
  ),
  example('Two runs side by side', 'What a change of the agent made better or worse', 'runs/after.jsonl', undefined, {
    before: 'runs/before.jsonl',
  }),
  example('All as it should be', 'A clean run', 'clean.json', SHOP),
];
