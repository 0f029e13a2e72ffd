# Returns the arguments, if the first argument and standard input agree, and how many arguments there are.
import json
import os
import sys

text = sys.stdin.buffer.read().decode("utf-8")
given = sys.argv[1:]
if given and given[0] != text:
    sys.exit(9)
with open(os.environ["LLM_OUTPUT"], "w", encoding="utf-8") as output:
    json.dump({"given": len(given), "arguments": json.loads(text)}, output)
