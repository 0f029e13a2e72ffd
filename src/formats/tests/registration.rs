//! Every trajectory format has all its parts.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::testing::{fixtures_folder, names_in, read_file, repository};
use crate::{ExportFormat, FORMATS, TrajectoryFormat, reader_of};

/// Where the table of formats may be.
const DOCUMENTS: [&str; 2] = ["README.md", "docs/formats.md"];

/// The head of the table of formats.
const HEAD: &str = "| Name | What is read |";

#[test]
fn every_format_is_in_the_list_for_detection() {
    let listed: BTreeSet<_> = FORMATS.iter().map(|it| it.name.label()).collect();
    assert_eq!(listed.len(), FORMATS.len(), "a format is listed twice");
    assert_are_all(&listed, "FORMATS in src/formats/mod.rs");
    for name in all_names() {
        let format = named(name);
        assert_eq!(format.label(), name);
        assert_eq!(
            reader_of(format).name,
            format,
            "{name} has another's reader"
        );
    }
}

#[test]
fn every_format_has_a_folder_of_fixtures() {
    let folders = names_in(&fixtures_folder("formats"));
    for folder in &folders {
        let files = names_in(&fixtures_folder("formats").join(folder));
        let is_document = |name: &String| name.ends_with(".json") || name.ends_with(".jsonl");
        assert!(files.iter().any(is_document), "{folder} holds no document");
    }
    let folders: BTreeSet<_> = folders.iter().map(String::as_str).collect();
    assert_are_all(&folders, "the folders of tests/fixtures/formats");
}

#[test]
fn every_format_has_a_row_in_the_table_of_formats() {
    let documents = DOCUMENTS.map(|path| repository().join(path));
    let texts = documents.iter().filter(|path| path.exists());
    let texts: Vec<_> = texts.map(|path| read_file(path)).collect();
    let table = texts.iter().find_map(|text| text.split_once(HEAD));
    let (_, table) = table.unwrap_or_else(|| panic!("{HEAD:?} is in none of {DOCUMENTS:?}"));
    let rows = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names: BTreeSet<_> = cells
        .flat_map(|cell| cell.split(','))
        .map(|name| name.trim().trim_matches('`'))
        .collect();
    assert_are_all(&names, "the table of formats in the documents");
}

#[test]
fn every_format_is_exported_or_known_not_to_be() {
    let exported = all_names().into_iter().map(named).filter_map(exported_as);
    let exported: BTreeSet<_> = exported.map(ExportFormat::label).collect();
    assert_eq!(exported, names_of::<ExportFormat>());
    for name in all_names() {
        assert!(exported_as(named(name)).is_none_or(|format| format.label() == name));
    }
}

/// The export that writes this format. `None`: trajectories are only read from it.
fn exported_as(format: TrajectoryFormat) -> Option<ExportFormat> {
    match format {
        TrajectoryFormat::Harness => Some(ExportFormat::Harness),
        TrajectoryFormat::OpenaiChat => Some(ExportFormat::OpenaiChat),
        TrajectoryFormat::AiSdkModel => Some(ExportFormat::AiSdkModel),
        TrajectoryFormat::Atif => Some(ExportFormat::Atif),
        TrajectoryFormat::OpenaiResponses
        | TrajectoryFormat::OpenaiAgents
        | TrajectoryFormat::Anthropic
        | TrajectoryFormat::AiSdkUi
        | TrajectoryFormat::AiSdkSteps
        | TrajectoryFormat::Gemini
        | TrajectoryFormat::Bedrock
        | TrajectoryFormat::Cohere
        | TrajectoryFormat::TauBench
        | TrajectoryFormat::Tau2
        | TrajectoryFormat::Langchain
        | TrajectoryFormat::Langsmith
        | TrajectoryFormat::Langfuse
        | TrajectoryFormat::OtelGenai
        | TrajectoryFormat::Openinference
        | TrajectoryFormat::Mastra
        | TrajectoryFormat::SweAgent
        | TrajectoryFormat::ClaudeCode
        | TrajectoryFormat::Codex
        | TrajectoryFormat::GeminiCli
        | TrajectoryFormat::QwenCode
        | TrajectoryFormat::Opencode
        | TrajectoryFormat::Pi
        | TrajectoryFormat::Mcp
        | TrajectoryFormat::Stream
        | TrajectoryFormat::Inspect
        | TrajectoryFormat::Adk
        | TrajectoryFormat::Hermes
        | TrajectoryFormat::Tooltalk
        | TrajectoryFormat::Bfcl
        | TrajectoryFormat::Deepeval
        | TrajectoryFormat::Ragas
        | TrajectoryFormat::NemoGym
        | TrajectoryFormat::PydanticAi
        | TrajectoryFormat::Openhands
        | TrajectoryFormat::Autogen
        | TrajectoryFormat::SemanticKernel
        | TrajectoryFormat::Xlam
        | TrajectoryFormat::When2call
        | TrajectoryFormat::Toucan
        | TrajectoryFormat::Toolace
        | TrajectoryFormat::Smolagents
        | TrajectoryFormat::Toolbench
        | TrajectoryFormat::MiniSweAgent
        | TrajectoryFormat::Docent
        | TrajectoryFormat::CopilotChat
        | TrajectoryFormat::DeepevalTrace
        | TrajectoryFormat::AiGateway
        | TrajectoryFormat::Batch => None,
    }
}

/// Fails unless `found` are the names of all formats. `place` says where they were found.
fn assert_are_all(found: &BTreeSet<&str>, place: &str) {
    let all = all_names();
    let missing: Vec<_> = all.difference(found).collect();
    let unknown: Vec<_> = found.difference(&all).collect();
    assert!(
        missing.is_empty() && unknown.is_empty(),
        "{place}: {missing:?} are missing, {unknown:?} are no formats"
    );
}

fn named(name: &str) -> TrajectoryFormat {
    TrajectoryFormat::deserialize(StrDeserializer::<de::value::Error>::new(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The names of all variants of [`TrajectoryFormat`], whether they are registered or not.
fn all_names() -> BTreeSet<&'static str> {
    names_of::<TrajectoryFormat>()
}

/// The names of all variants of an enum.
fn names_of<T: Deserialize<'static>>() -> BTreeSet<&'static str> {
    match T::deserialize(VariantsOf(&[])) {
        Err(VariantsOf(names)) => names.iter().copied().collect(),
        Ok(_) => panic!("a variant was read from nothing"),
    }
}

/// A deserializer that fails with the names of the variants that an enum asks it for.
#[derive(Debug)]
struct VariantsOf(&'static [&'static str]);

impl fmt::Display for VariantsOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl std::error::Error for VariantsOf {}

impl de::Error for VariantsOf {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for VariantsOf {
    type Error = Self;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self> {
        Err(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self> {
        Err(Self(variants))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
