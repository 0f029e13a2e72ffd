"""Validates instances by jsonschema, for `targets/schemas.mjs`: one JSON request a line, one answer a line."""

import json
import sys

from jsonschema.exceptions import SchemaError
from jsonschema.validators import validator_for


def answer(request):
    schema = request["schema"]
    kind = validator_for(schema)
    try:
        kind.check_schema(schema)
    except SchemaError as error:
        return {"invalid_schema": error.message}
    validator = kind(schema)
    return {"verdicts": [verdict(validator, instance) for instance in request["instances"]]}


def verdict(validator, instance):
    """True or false, or None where a schema refers to itself without end."""
    try:
        return validator.is_valid(instance)
    except RecursionError:
        return None


def main():
    for line in sys.stdin:
        try:
            said = answer(json.loads(line))
        except Exception as error:  # A fault of the reference must not look like one of ours.
            said = {"failed": repr(error)}
        print(json.dumps(said), flush=True)


main()
