"""Checks JSON Lines of trajectories on Apache Spark: `toolgauge check` runs once for each partition.

usage: python check_trajectories.py INPUT --tools TOOLS --verdicts FOLDER [options of toolgauge merge]

README.md beside this file says what it needs and what comes out.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate

from pyspark import RDD, SparkContext, StorageLevel
from pyspark.sql import SparkSession

# The summary follows the verdicts on the same stream: written into a file, it would count twice when Spark runs a task
# twice. A partition may be empty, or have unreadable lines: they are counted, and the gate decides about them at the end.
CHECK_OPTIONS = "--lines --format jsonl --summary /dev/stdout --allow-empty --allow-errors"

# How many unreadable lines are listed.
MOST_TOLD = 20


def check(lines: RDD[str], tools: str, fail_on: str, toolgauge: str) -> RDD[str]:
    """What `toolgauge check` prints for each partition: a verdict a line, then its summary on several lines."""
    command = f"{toolgauge} check - --tools {shlex.quote(tools)} --fail-on {fail_on} {CHECK_OPTIONS}"
    # pipe() passes only this environment to the processes. It ignores their exit codes, which is right here: a failed
    # gate of one partition means nothing, and a summary proves that its process finished.
    return lines.pipe(command, env={"PATH": os.environ["PATH"]}).mapPartitions(whole)


def whole(output: Iterator[str]) -> Iterator[str]:
    """The output of a process, which fails the task when it does not end with a summary."""
    line = None
    for line in output:
        yield line
    if line != "}":
        raise RuntimeError("toolgauge did not get to its end: what it says stands in the executor's standard error")


def is_verdict(line: str) -> bool:
    """A verdict stands on one line; no line of a summary starts so."""
    return line.startswith('{"')


def summaries_of(checked: RDD[str]) -> list[dict]:
    """The summary of each partition."""
    return checked.filter(lambda line: not is_verdict(line)).glom().map("".join).map(json.loads).collect()


def unread_lines(lines: RDD[str], verdicts: RDD[str]) -> RDD[tuple[int, str]]:
    """The lines that could not be read, by their number, counted from 1 over the whole input, and why not."""
    counts = lines.mapPartitions(lambda part: [sum(1 for _ in part)]).collect()
    lines_before = [0, *accumulate(counts)]

    def unread(partition: int, part: Iterator[str]) -> Iterator[tuple[int, str]]:
        for verdict in map(json.loads, part):
            if "error" in verdict:
                yield lines_before[partition] + verdict["line"], f"{verdict['error']['message']} of partition {partition}"

    return verdicts.mapPartitionsWithIndex(unread)


def merge(summaries: list[dict], fail_on: str, toolgauge: str, options: list[str]) -> int:
    """Adds the summaries up and prints the totals; the exit code tells whether the gate passes."""
    command = [*shlex.split(toolgauge), "merge", "-", "--allow-errors", "--fail-on", fail_on, *options]
    return subprocess.run(command, input=json.dumps(summaries).encode()).returncode


def run(spark: SparkContext, options: argparse.Namespace, merge_options: list[str]) -> int:
    lines = spark.textFile(options.input, options.partitions)
    # Cached, because both the summaries and the verdicts are taken from it.
    checked = check(lines, options.tools, options.fail_on, options.toolgauge).persist(StorageLevel.DISK_ONLY)
    summaries = summaries_of(checked)
    verdicts = checked.filter(is_verdict)
    verdicts.saveAsTextFile(options.verdicts)
    code = merge(summaries, options.fail_on, options.toolgauge, merge_options)
    if not any(summary["unread"] for summary in summaries):
        return code
    for number, reason in unread_lines(lines, verdicts).take(MOST_TOLD):
        print(f"line {number}: {reason}", file=sys.stderr)
    return code if options.allow_errors else 2


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        description="Checks JSON Lines of trajectories on Apache Spark.",
        epilog="All other options go to toolgauge merge: --min-score, --allow-empty, --format, --summary.",
        allow_abbrev=False,
    )
    parser.add_argument("input", help="files, folders or globs, as sc.textFile takes them")
    parser.add_argument("--tools", required=True, help="tool definitions, at this path on every worker")
    parser.add_argument("--verdicts", required=True, help="the folder to write the verdicts into, as JSON Lines")
    parser.add_argument("--fail-on", default="high", help="fail on an issue of this severity or worse (%(default)s)")
    parser.add_argument("--allow-errors", action="store_true", help="let the gate alone decide when lines can't be read")
    parser.add_argument("--partitions", type=int, help="the least number of partitions; a process runs for each")
    parser.add_argument("--toolgauge", default="npx --no -- toolgauge", help="how workers call it (%(default)s)")
    return parser.parse_known_args(arguments)


if __name__ == "__main__":
    session = SparkSession.builder.appName("toolgauge check").getOrCreate()
    exit_code = run(session.sparkContext, *parse(sys.argv[1:]))
    session.stop()
    sys.exit(exit_code)
