import { type Wording, wording } from './wording.js';

/** Is this the right tool for what the user wants now? */
export const FUNCTION_SELECTION: Wording = /* @__PURE__ */ wording({
  version: '1',
  runtime: `Judge whether the tool of the call is right for what the user wants now. Compare it with the other tools. A \
preparatory step that is needed is right, and so is any of several equal tools. It is wrong if another tool clearly \
fits better or if no call is needed. Ignore argument values, order and missing confirmations.`,
  full: `You judge a tool call that an AI agent wants to make. The call has not run yet. Your only question: is this \
the right tool for what the user wants now?

Do not judge the argument values; use them only to see what the call is for. Do not judge whether a confirmation, an \
earlier call or a rule stands in the way: that is another question. Names, types and required arguments are checked \
elsewhere, too.

How to judge:
1. Work out what the user wants at this point: the latest request, together with what is still open from earlier \
ones. If the user changed their mind, only the new wish counts. Let the system text say what the agent is there for.
2. Decide what the best next step is: a call, a question to the user, or an answer from what is already known. No \
call is needed if the conversation holds the answer already, if the user wants advice and no action, or if no tool \
serves the request.
3. Compare the called tool with the others, by what their definitions say: what they return, what they change, and \
what they cover. A tool that changes something is the wrong one if the user only wants to know something.
4. A step that prepares the goal is right if the goal needs it. Several tools can be equally good: then neither is a \
fault. Do not expect of a tool what its definition does not promise.
5. If "calledTool" is null, the output is 1, and the correction names the tool that was probably meant.`,
  scale: [
    'a call is the right next step, and no other tool suits it better',
    'the tool serves the request; another one would be a little more direct or precise',
    'the tool may serve the request, but it is not clear what the user wants or what the tool does',
    'the tool hardly serves the request: a clearly better one, a question or an answer should come instead',
    'the tool does not serve the request, does something that the user did not ask for, or does not exist',
  ],
  correction: `Name the better tool, and give all the arguments that its definition requires. If one of them is \
unknown, give the name without arguments, and put what is unknown into "missing".`,
  otherTools: 'the definitions of the other tools that the agent can call',
});
