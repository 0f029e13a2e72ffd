//! Ranks tools for a search by BM25 over their names and descriptions.

use bm25::{EmbedderBuilder, Scorer, Tokenizer};
use serde::Deserialize;

use toolgauge_model::{singular, start_of, words_of};

/// How many characters of a description are read; more costs more than it helps.
const LONGEST_DESCRIPTION: usize = 4_000;

/// How many characters of a query are read.
const LONGEST_QUERY: usize = 1_000;

/// A tool to search for.
#[derive(Debug, Clone, Deserialize)]
pub struct SearchableTool {
    /// Its name. Words in it count twice.
    pub name: String,
    /// The kind of change.
    #[serde(default)]
    pub description: String,
}

/// Returns the positions of the tools that share a word with `query`, the best match first; equal matches
/// keep their order.
pub fn rank_tools(query: &str, tools: &[SearchableTool]) -> Vec<usize> {
    let texts: Vec<String> = tools.iter().map(SearchableTool::text).collect();
    let corpus: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embedder =
        EmbedderBuilder::<u32, Words>::with_tokenizer_and_fit_to_corpus(Words, &corpus).build();
    let mut scorer = Scorer::<usize>::new();
    for (at, text) in corpus.iter().enumerate() {
        scorer.upsert(&at, embedder.embed(text));
    }
    let query = embedder.embed(start_of(query, LONGEST_QUERY));
    let mut found = scorer.matches(&query);
    found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
    found.into_iter().map(|tool| tool.id).collect()
}

impl SearchableTool {
    fn text(&self) -> String {
        let description = start_of(&self.description, LONGEST_DESCRIPTION);
        format!("{0} {0} {description}", self.name)
    }
}

/// Splits text into words in the singular, so that `files` finds `file`.
struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        words_of(text).into_iter().map(singular).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(query: &str) -> Vec<&'static str> {
        let tools = [
            ("createIssue", "Opens a new issue in a repository"),
            (
                "list_issues",
                "Lists the issues of a repository, newest first",
            ),
            ("merge_pull_request", "Merges a pull request"),
            ("get_file", "Reads one file of a repository"),
            ("echo", ""),
        ];
        let searchable: Vec<_> = tools
            .iter()
            .map(|(name, description)| SearchableTool {
                name: (*name).to_owned(),
                description: (*description).to_owned(),
            })
            .collect();
        let found = rank_tools(query, &searchable);
        found.into_iter().map(|at| tools[at].0).collect()
    }

    #[test]
    fn a_named_tool_comes_first() {
        assert_eq!(ranked("create issue")[0], "createIssue");
        assert_eq!(ranked("list all issues")[0], "list_issues");
        assert_eq!(ranked("read files"), ["get_file"]);
        assert_eq!(ranked("echo"), ["echo"]);
    }

    #[test]
    fn tools_without_a_common_word_are_not_found() {
        assert!(ranked("weather").is_empty());
        assert!(ranked("").is_empty());
        assert!(ranked("__proto__ \u{0} 🦀").is_empty());
        assert!(rank_tools("echo", &[]).is_empty());
    }
}
