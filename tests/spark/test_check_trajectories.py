"""examples/spark in Spark's local mode: what it finds is what one process finds in the same file.

Run by `cargo xtask test --only spark`, in the folder of a project that has installed the package.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/spark/check_trajectories.py"
TOOLS = ROOT / "examples/shop.tools.json"
TOOLGAUGE = "node_modules/.bin/toolgauge"

sys.path.insert(0, str(EXAMPLE.parent))
from check_trajectories import check, is_verdict, parse, run, summaries_of, unread_lines  # noqa: E402


def example(name: str) -> dict:
    return json.loads((ROOT / "examples" / name).read_text(encoding="utf-8"))


def conversation(number: int, note: str) -> str:
    """A trajectory with issues or without, told apart by its id."""
    trajectory = example("refund.json" if number % 3 == 0 else "clean.json")
    trajectory["trajectory_id"] = f"{number} {note}"
    trajectory["turns"][0]["content"] += f" {note}"
    return json.dumps(trajectory, ensure_ascii=number % 2 == 0)


def corpus() -> list[str]:
    """Lines of which some can't be read, some are empty, and one is longer than many partitions."""
    notes = ["plain", "Łódź – 12 €", "改行\u2028\u2029\u0085", "👩‍🔬 🙂", "tab\tand \"quotes\"", "\\ud800 \x00"]
    lines = [conversation(number, notes[number % len(notes)]) for number in range(120)]
    lines[40] = conversation(40, "long " * 400_000)
    lines[5] = '{"turns": ['
    lines[17] = ""
    lines[63] = '{"odd": 1}'
    lines[64] = "   "
    lines[118] = "not JSON, über alles"
    return lines


def toolgauge(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([TOOLGAUGE, *arguments], capture_output=True, encoding="utf-8", check=False)


def single_process(path: str, *options: str) -> tuple[int, dict, list[dict]]:
    """The exit code, the summary and the verdicts of one process."""
    with tempfile.NamedTemporaryFile(suffix=".json") as summary:
        arguments = ["--tools", str(TOOLS), "--lines", "--format", "jsonl", "--summary", summary.name, *options]
        ended = toolgauge("check", path, *arguments)
        # Other ends of lines than \n stand in texts.
        verdicts = [json.loads(line) for line in ended.stdout.split("\n") if line]
        # The summary takes the place of the file that is open here.
        return ended.returncode, json.loads(Path(summary.name).read_text(encoding="utf-8")), verdicts


def merged(summaries: list[dict]) -> dict:
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as parts:
        json.dump(summaries, parts)
        parts.flush()
        return json.loads(toolgauge("merge", parts.name, "--format", "json").stdout)["summary"]


def without_place(verdict: dict) -> dict:
    """What a verdict says wherever its line stood; messages of errors name the line too."""
    verdict = {key: value for key, value in verdict.items() if key not in ("source", "line")}
    if "error" in verdict:
        verdict["error"] = verdict["error"]["code"]
    return verdict


class CheckTrajectories(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Threads of a JVM that this process starts: two tasks at a time, no page, one try.
        conf = SparkConf().setMaster("local[2]").setAppName("toolgauge tests")
        conf.set("spark.ui.enabled", "false").set("spark.ui.showConsoleProgress", "false")
        # Workers import the module, too; of a script that runs by itself they get the functions.
        cls.spark = SparkContext(conf=conf, pyFiles=[str(EXAMPLE)])
        cls.spark.setLogLevel("OFF")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def write(self, lines: list[str], end: str = "\n") -> str:
        path = Path(tempfile.mkdtemp(dir=self.folder), "trajectories.jsonl")
        path.write_bytes(end.join(lines).encode())
        return str(path)

    def assert_same(self, path: str, *numbers_of_partitions: int):
        _, summary, verdicts = single_process(path)
        for partitions in numbers_of_partitions:
            with self.subTest(partitions=partitions):
                summaries = self.assert_finds(path, partitions, summary, verdicts)
        return summary, summaries

    def assert_finds(self, path: str, partitions: int, summary: dict, verdicts: list[dict]):
        lines = self.spark.textFile(path, partitions)
        checked = check(lines, str(TOOLS), "high", TOOLGAUGE).cache()
        summaries = summaries_of(checked)
        self.assertGreaterEqual(len(summaries), partitions)
        self.assertEqual(merged(summaries), summary)
        found = checked.filter(is_verdict)
        self.assertEqual(
            [without_place(json.loads(verdict)) for verdict in found.collect()],
            [without_place(verdict) for verdict in verdicts],
        )
        unread = unread_lines(lines, found).collect()
        self.assertEqual([number for number, _ in unread], [v["line"] for v in verdicts if "error" in v])
        return summaries

    def test_totals_verdicts_and_unread_lines_are_those_of_one_process(self):
        path = self.write(corpus())
        summary, _ = self.assert_same(path, 1, 2, 7)
        self.assertEqual((summary["documents"], summary["unread"]), (118, 3))
        self.assertGreater(summary["issuesByType"]["hallucinated_result"], 30)

    def test_partitions_may_be_empty_and_lines_end_in_crlf(self):
        lines = corpus()
        path = self.write([lines[0], lines[40], lines[5], lines[1]], end="\r\n")
        _, summaries = self.assert_same(path, 6)
        self.assertIn(0, [summary["documents"] for summary in summaries])

    def test_a_process_that_can_not_work_fails_the_job(self):
        path = self.write(corpus()[:3])
        for tools, command in ((Path("none.json"), TOOLGAUGE), (TOOLS, "node -e process.exit(1)")):
            with self.subTest(command=command), self.assertRaisesRegex(Py4JJavaError, "did not get to its end"):
                check(self.spark.textFile(path), str(tools), "high", command).collect()

    def test_the_script_ends_as_the_command_does(self):
        lines = corpus()
        cases = [
            (lines[1:3], [], 0),
            (lines[:3], [], 1),
            (lines[:3], ["--fail-on", "critical", "--min-score", "0.9"], 1),
            (lines[4:6], [], 2),
            (lines[4:6], ["--allow-errors"], 0),
        ]
        for chosen, options, code in cases:
            with self.subTest(options=options, code=code):
                path = self.write(chosen)
                expected, summary, _ = single_process(path, *options)
                self.assertEqual(expected, code)
                folder = Path(path).parent
                needed = [path, "--tools", str(TOOLS), "--verdicts", f"{folder}/verdicts", "--partitions", "2"]
                arguments = parse([*needed, "--toolgauge", TOOLGAUGE, "--summary", f"{folder}/sum.json", *options])
                self.assertEqual(run(self.spark, *arguments), code)
                sum_of_parts = json.loads((folder / "sum.json").read_text(encoding="utf-8"))
                self.assertEqual(sum_of_parts, summary)

    def test_verdicts_can_be_queried(self):
        path = self.write(corpus()[2:7])
        folder = f"{self.folder}/verdicts"
        run(self.spark, *parse([path, "--tools", str(TOOLS), "--verdicts", folder, "--toolgauge", TOOLGAUGE]))
        rows = SparkSession(self.spark).read.json(folder)
        failed = rows.where("NOT passed").select("id", "score", "results.issues").orderBy("id").collect()
        self.assertEqual([row.id[:2] for row in failed], ["3 ", "6 "])


if __name__ == "__main__":
    unittest.main(verbosity=2)
