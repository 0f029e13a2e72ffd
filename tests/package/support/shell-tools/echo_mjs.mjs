// Returns the arguments, if the first argument and standard input agree, and how many arguments there are.
import { readFileSync, writeFileSync } from 'node:fs';

const input = readFileSync(0, 'utf8');
const given = process.argv.slice(2);
if (given.length > 0 && given[0] !== input) process.exit(9);
writeFileSync(process.env.LLM_OUTPUT, JSON.stringify({ given: given.length, arguments: JSON.parse(input) }));
