import { type Wording, wording } from './wording.js';

const EXPECTATIONS = `What sets the format:
- the argument's description, its "format", "pattern", "examples" and "enum", and the unit or notation in its name, \
such as amount_cents or start_iso;
- the description of the tool;
- earlier results and errors of the same tools: ids that a result gives must be passed on as they are.
If none of them says anything, every usual and unambiguous form is right. Do not demand a format that you would merely \
prefer.

What to look for: the order and notation of dates and times, with the time zone; the unit and the scale (cents or \
euros, 0.2 or 20 for 20 percent); a code or a name; ids with or without their prefix; the notation of telephone \
numbers, addresses, paths and URLs; the language and the spelling of fixed words; the syntax of queries and \
expressions; lists written as text; markup or quotes in a plain text. Unit and scale belong to the format: 50 for fifty \
euros is a fault where cents are expected.`;

const IGNORED = `where a value comes from, whether this is the right tool, or whether the call comes at the right time. \
Types, required arguments and allowed values are checked elsewhere, too.`;

/** Is every argument value written as the tool expects it? */
export const VALUE_FORMAT: Wording = /* @__PURE__ */ wording({
  version: '1',
  runtime: `Judge whether every argument value of the tool call is written as the tool's definition expects: notation \
of dates and times, units and scale, codes or names, ids, language, spelling. Where the definition is silent, every \
usual and unambiguous form is right. Assume that each value means the right thing: ignore its source, timing and the \
choice of tool.`,
  full: `You judge a tool call that an AI agent wants to make. The call has not run yet. Your only question: is every \
value in its arguments written in the form that the tool expects?

Assume that each value means the right thing. Do not judge ${IGNORED}

${EXPECTATIONS}

How to judge:
1. For each value, also inside objects and lists, work out which format is expected and where that is said.
2. Compare the value with it, as a program would that reads the value literally.
3. For each deviation, ask what the tool would do: accept it, refuse it, or take it for something else.
4. The worst value decides the output.`,
  scale: [
    'every value has the expected format, or none is set and the form is unambiguous',
    'a value deviates slightly, and the tool will almost certainly read it as it is meant',
    'the definition does not settle the format, and the form may be misread',
    'a value does not have the expected format; the tool will probably refuse it or find nothing',
    'a value does not have the expected format, and the tool would refuse it for certain or act on another value',
  ],
  correction: `Write the same values in the expected format. If a value can't be converted without knowing more, say in \
"missing" what that is.`,
});

/** Is the value of this argument written as the tool expects it? */
export const PARAMETER_VALUE_FORMAT: Wording = /* @__PURE__ */ wording({
  version: '1',
  runtime: `Judge whether one value, "judgedParameter" of the tool call, is written as the tool's definition expects: \
notation of dates and times, units and scale, code or name, ids, language, spelling. Where the definition is silent, \
every usual and unambiguous form is right. Assume that the value means the right thing: ignore its source and \
everything else in the call.`,
  full: `You judge one argument of a tool call that an AI agent wants to make. The call has not run yet. Your only \
question: is the value of this argument written in the form that the tool expects?

The other arguments have judges of their own: use them only where they say how this one is read, such as a currency \
beside an amount. Assume that the value means the right thing. Do not judge ${IGNORED}

${EXPECTATIONS}

How to judge:
1. Work out which format is expected of the argument, and where that is said.
2. Compare the value with it, as a program would that reads the value literally. If the value is an object or a list, \
compare each part.
3. If it deviates, ask what the tool would do: accept it, refuse it, or take it for something else.`,
  scale: [
    'the value has the expected format, or none is set and the form is unambiguous',
    'the value deviates slightly, and the tool will almost certainly read it as it is meant',
    'the definition does not settle the format, and the form may be misread',
    'the value does not have the expected format; the tool will probably refuse it or find nothing',
    'the value does not have the expected format, and the tool would refuse it for certain or act on another value',
  ],
  correction: `Change this argument only: write the same value in the expected format. If it can't be converted without \
knowing more, say in "missing" what that is.`,
  judgedParameter: 'the one argument to judge, with its value in the call',
});
