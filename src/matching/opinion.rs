//! Questions to judges about single values, and their answers. Nothing here asks a judge: the caller asks about the open
//! questions and compares once more.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use foldhash::HashSet;
use serde::{Deserialize, Serialize};

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

/// The score that the answer of judges must exceed to be a yes. A tied vote is none.
const TIE: f64 = 0.5;

/// A question about a value that was made, on whose answer a score depends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct OpenQuestion {
    /// The key of its answer among opinions. The same question about the same values has the same key in every run.
    pub key: String,
    /// The question that the matcher asks.
    pub question: String,
    /// The tool that was called.
    pub tool: String,
    /// The place of the value, for example `args.message` or `result.text`.
    pub path: String,
    /// The expected value; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "JsonValue"))]
    pub expected: Option<serde_json::Value>,
    /// The value that was made.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub actual: serde_json::Value,
}

/// The answer of judges to a question about a value.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(deny_unknown_fields)]
pub struct Opinion {
    /// From 0, a no, to 1, a yes; for several judges what their scores come to. More than 0.5 is a yes.
    pub score: f64,
    /// The reason that the judges give.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Opinions by the keys of their questions.
pub type Opinions = BTreeMap<String, Opinion>;

/// A question about a value.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'q> {
    /// What is asked.
    pub question: &'q str,
    /// The tool that was called.
    pub tool: &'q str,
    /// The place of the value.
    pub path: &'q Path,
    /// The expected value, if there is one.
    pub expected: Option<Json<'q>>,
    /// The value that was made.
    pub actual: Json<'q>,
    /// Whether the values are only compared to see whether they belong together.
    pub is_tried: bool,
}

/// What judges say about a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judged<'o> {
    /// Yes, or nothing yet: without an answer the best is assumed, so that few questions need one.
    Yes,
    /// No, and perhaps why.
    No(Option<&'o str>),
}

/// What is done about questions without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Unanswered {
    /// They are an error.
    #[default]
    Refused,
    /// They are collected.
    Collected,
}

/// The opinions that are known, and the questions without one.
#[derive(Debug, Default)]
pub struct Judging<'o> {
    known: Option<&'o Opinions>,
    unanswered: Unanswered,
    /// Whether the comparison decides about the score, so that its questions need answers.
    is_decisive: Cell<bool>,
    open: RefCell<Open>,
}

/// Questions without an answer, each once, in the order in which they come up.
#[derive(Debug, Default)]
struct Open {
    keys: HashSet<String>,
    questions: Vec<OpenQuestion>,
}

impl<'o> Judging<'o> {
    /// Knows these opinions. `None` if no judge can be asked.
    pub fn knowing(opinions: Option<&'o Opinions>) -> Self {
        Self {
            known: opinions,
            ..Self::default()
        }
    }

    /// Knows these opinions, and collects the questions that they do not answer.
    pub fn collecting(opinions: &'o Opinions) -> Self {
        Self {
            known: Some(opinions),
            unanswered: Unanswered::Collected,
            ..Self::default()
        }
    }

    /// Rejects a `question` if no judge can be asked.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] says what to use.
    pub fn check(&self, question: &str) -> Result<()> {
        match self.known {
            Some(_) => Ok(()),
            None => Err(unanswered(question)),
        }
    }

    /// Returns what the judges say.
    pub fn judge(&self, asked: Asked<'_>) -> Judged<'o> {
        let key = key_of(asked);
        if let Some(opinion) = self.known.and_then(|known| known.get(&key)) {
            return match opinion.score > TIE {
                true => Judged::Yes,
                false => Judged::No(opinion.reason.as_deref()),
            };
        }
        if self.is_decisive.get() && !asked.is_tried {
            self.open.borrow_mut().add(key, asked);
        }
        Judged::Yes
    }

    /// Runs a comparison that decides about the score.
    pub fn decide(&self, compare: impl FnOnce()) {
        self.is_decisive.set(true);
        compare();
        self.is_decisive.set(false);
    }

    /// Returns `value`, unless it depends on a question without an answer.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the first of the questions, unless they are collected.
    pub fn checked<T>(&self, value: T) -> Result<T> {
        match (self.unanswered, self.open.borrow().questions.first()) {
            (Unanswered::Refused, Some(first)) => Err(unanswered(&first.question)),
            (Unanswered::Refused, None) | (Unanswered::Collected, _) => Ok(value),
        }
    }

    /// Returns the questions that were collected.
    pub fn into_questions(self) -> Vec<OpenQuestion> {
        self.open.into_inner().questions
    }
}

impl Open {
    fn add(&mut self, key: String, asked: Asked<'_>) {
        if !self.keys.insert(key.clone()) {
            return;
        }
        self.questions.push(OpenQuestion {
            key,
            question: asked.question.to_owned(),
            tool: asked.tool.to_owned(),
            path: asked.path.to_string(),
            expected: asked.expected.map(toolgauge_schema::to_value),
            actual: toolgauge_schema::to_value(asked.actual),
        });
    }
}

/// Returns the parts of a question as JSON text, which is readable in a file of opinions.
fn key_of(asked: Asked<'_>) -> String {
    let (question, tool, path) = (asked.question, asked.tool, asked.path.as_str());
    let text = match asked.expected {
        Some(expected) => serde_json::to_string(&(question, tool, path, asked.actual, expected)),
        None => serde_json::to_string(&(question, tool, path, asked.actual)),
    };
    text.unwrap_or_default()
}

fn unanswered(question: &str) -> Error {
    Error::InvalidOption {
        path: Path::root().key("options").key("opinions"),
        reason: format!(
            "a matcher asks judges {question:?}, and there is no answer: score with judges (scoreToolCallsAsync, \
             scoreTrajectoriesAsync, `toolgauge score --judge`), or give their opinions"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_model::Json;

    fn asked<'q>(path: &'q Path, actual: &'q str, expected: Option<Json<'q>>) -> Asked<'q> {
        Asked {
            question: "Is it polite?",
            tool: "send",
            path,
            expected,
            actual: Json::String(actual),
            is_tried: false,
        }
    }

    fn opinions(of: Asked<'_>, score: f64) -> Opinions {
        let opinion = Opinion {
            score,
            reason: Some("so it is".to_owned()),
        };
        Opinions::from([(key_of(of), opinion)])
    }

    #[test]
    fn more_than_a_tie_is_a_yes() {
        let path = Path::root().key("args");
        let asked = asked(&path, "hello", None);
        for (score, says) in [
            (1.0, Judged::Yes),
            (0.51, Judged::Yes),
            (0.5, Judged::No(Some("so it is"))),
            (0.0, Judged::No(Some("so it is"))),
        ] {
            let known = opinions(asked, score);
            assert_eq!(Judging::knowing(Some(&known)).judge(asked), says, "{score}");
        }
    }

    #[test]
    fn the_key_depends_on_every_part_and_on_nothing_else() {
        let (one, other) = (Path::root().key("args").key("a"), Path::root().key("args"));
        let keys = [
            key_of(asked(&one, "x", None)),
            key_of(asked(&other, "x", None)),
            key_of(asked(&one, "y", None)),
            key_of(asked(&one, "x", Some(Json::Null))),
            key_of(asked(&one, "x", Some(Json::String("x")))),
        ];
        let different: HashSet<_> = keys.iter().collect();
        assert_eq!(different.len(), keys.len(), "{keys:?}");
        assert_eq!(keys[0], r#"["Is it polite?","send","args.a","x"]"#);
        assert_eq!(keys[0], key_of(asked(&one, "x", None)));
    }

    #[test]
    fn only_decisive_questions_are_open_each_once() {
        let path = Path::root().key("args");
        let none = Opinions::new();
        let judging = Judging::collecting(&none);
        judging.judge(asked(&path, "not decisive", None));
        for text in ["a", "b", "a"] {
            judging.decide(|| {
                judging.judge(asked(&path, text, None));
                judging.judge(Asked {
                    is_tried: true,
                    ..asked(&path, "only tried", None)
                });
            });
        }
        assert_eq!(judging.checked(7), Ok(7));
        let open = judging.into_questions();
        let actual: Vec<_> = open.iter().map(|question| &question.actual).collect();
        assert_eq!(actual, ["a", "b"]);
    }

    #[test]
    fn questions_that_nobody_answers_are_an_error_that_says_what_to_use() {
        let path = Path::root().key("args");
        let known = opinions(asked(&path, "a", None), 1.0);
        let judging = Judging::knowing(Some(&known));
        judging.decide(|| {
            judging.judge(asked(&path, "a", None));
        });
        assert_eq!(judging.checked(7), Ok(7));
        judging.decide(|| {
            judging.judge(asked(&path, "b", None));
        });
        let error = judging.checked(7).expect_err("an open question");
        assert!(
            error
                .to_string()
                .starts_with("options.opinions: a matcher asks judges \"Is it polite?\"")
        );
        let error = Judging::default().check("Why?").expect_err("no judge");
        assert!(error.to_string().contains("scoreToolCallsAsync"), "{error}");
    }
}
