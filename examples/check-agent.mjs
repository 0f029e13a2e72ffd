// Checks what an agent did, writes every report that CI can show, and fails when the gate does:
//   node check-agent.mjs rollouts.json tools.json
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { reportTrajectories } from 'toolgauge';

const [source, toolsFile] = process.argv.slice(2);
const [input, tools] = [readFileSync(source), readFileSync(toolsFile)];
const report = as => reportTrajectories(input, tools, { as, source, minScore: 0.9, failOn: 'high' });

mkdirSync('reports', { recursive: true });
for (const [as, file] of [
  ['junit', 'toolgauge.xml'],
  ['sarif', 'toolgauge.sarif'],
  ['html', 'toolgauge.html'],
]) {
  writeFileSync(`reports/${file}`, report(as).text);
}
if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, report('markdown').text);

const { text, gate } = report('github');
process.stdout.write(text);
process.exitCode = gate.passed ? 0 : 1;
