//! Arguments that an agent may choose freely, and tools whose arguments the platform sets.

use toolgauge_facts::{FactKind, Token, WordList};
use toolgauge_model::{Json, Path, Runner, Step, ToolCall, words_of};

/// Last words in the names of parameters whose value the agent may choose.
static CHOSEN: WordList = WordList::of(
    "alias basename body branch caption comment content description dest destination filename heading key keyword \
    keywords label message name nickname note outfile output prompt q query reason search slug subject suffix summary \
    tag tags text title topic",
);

/// Words that, before a word of [`CHOSEN`], name something that must be known: `user_name`, `api_key`.
static KNOWN_BEFORE: WordList = WordList::of(
    "access account api customer foreign host login member parent patient primary private public user",
);

/// First words in the names of parameters that say where something is saved.
static SAVED: WordList = WordList::of("new output save saved target");

/// Parameters whose values do not identify a record but a way to do something, which a model knows without evidence.
static WAYS: WordList = WordList::of(
    "algorithm charset cipher codec color colour compression content_type currency dialect engine \
    encoding expression font format framework kind lang language library locale method mime mode model package \
    platform protocol resolution scheme script shape size standard style syntax system technology theme timezone tz \
    type unit units version",
);

/// Parameters whose value is an id that the platform or the program around the agent sets, or that is made up on
/// purpose.
static PLATFORM_IDS: WordList = WordList::of(
    "call_id callid container_id containerid conversation_id conversationid correlation_id correlationid execution_id \
    executionid idempotency_key idempotencykey invocation_id invocationid message_id nonce request_id requestid run_id \
    runid sandbox_id sandboxid session_id sessionid span_id spanid thread_id threadid tool_call_id toolcallid \
    tool_use_id tooluseid trace_id traceid",
);

/// Checks whether the platform runs the tool of `call`. The platform then sets the arguments itself and does not log
/// all results.
pub fn is_of_platform(call: &ToolCall<'_>) -> bool {
    Runner::by_name(call) == Runner::Platform
}

/// Checks whether the platform ran the call and did not log what it returned: there is no result, only a status, or
/// encrypted text.
pub fn hides_result(call: &ToolCall<'_>) -> bool {
    let Some(result) = call.result.filter(|_| call.error.is_none()) else {
        return call.error.is_none() && is_of_platform(call);
    };
    let is_status = |key: &str| matches!(key, "id" | "status" | "type");
    let says_nothing = match result {
        Json::Null => true,
        Json::Object(members) => members.iter().all(|(key, _)| is_status(key)),
        Json::Array(items) => {
            let mut items = items.iter();
            items.len() == 0 || items.any(|item| item.get("encrypted_content").is_some())
        }
        Json::String(text) => text.trim().is_empty(),
        Json::Bool(_) | Json::Number(_) => false,
    };
    says_nothing && is_of_platform(call)
}

/// Checks whether the agent or the platform chooses the value of the parameter at `path`, for a fact of this kind.
#[deny(clippy::wildcard_enum_match_arm)]
pub fn is_chosen(path: &Path, kind: FactKind) -> bool {
    let steps = path.steps();
    let key = steps.iter().rev().find_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::Index(_) => None,
    });
    let Some(key) = key else {
        return false;
    };
    let words = words_of(key);
    let says = |word: Option<&String>, list| word.is_some_and(|word| is_one_of(word, list));
    let (last, before) = match &words[..] {
        [.., before, last] => (Some(last), Some(before)),
        [last] => (Some(last), None),
        [] => (None, None),
    };
    match kind {
        FactKind::Identifier => {
            let is_label = says(last, &CHOSEN) && !says(before, &KNOWN_BEFORE);
            let is_saved = says(words.first(), &SAVED);
            let is_way = is_one_of(key, &WAYS) || says(last, &WAYS);
            is_label || is_saved || is_way || is_one_of(key, &PLATFORM_IDS)
        }
        FactKind::Email | FactKind::Url => false,
        // A search query or a message may mention any day.
        FactKind::Money
        | FactKind::Number
        | FactKind::Percent
        | FactKind::Date
        | FactKind::Time
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => is_one_of(key, &CHOSEN),
    }
}

fn is_one_of(text: &str, list: &WordList) -> bool {
    !text.is_empty() && Token::of_word(text).says_one_of(list)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn labels_are_chosen_and_references_are_not() {
        let chosen = |path: &str| is_chosen(&Path::written(path), FactKind::Identifier);
        for path in [
            "key",
            "label",
            "file_name",
            "outputPath",
            "items[0].title",
            "storage_key",
            "encoding",
            "container_id",
            "idempotencyKey",
            "branch",
        ] {
            assert!(chosen(path), "{path}");
        }
        for path in [
            "id",
            "order_id",
            "user_name",
            "api_key",
            "code_of_order",
            "reference",
            "[0]",
        ] {
            assert!(!chosen(path), "{path}");
        }
    }

    #[test]
    fn results_that_the_platform_keeps_are_known() {
        let arena = Bump::new();
        let call = |name, result: Option<&str>| ToolCall {
            name: Some(name),
            result: result.map(|result| arena_json(&arena, result)),
            ..ToolCall::default()
        };
        assert!(hides_result(&call("web_search", None)));
        assert!(hides_result(&call(
            "web_search",
            Some(r#"{"status":"completed"}"#)
        )));
        let encrypted =
            r#"[{"type":"web_search_result","title":"Frost","encrypted_content":"Eo8="}]"#;
        assert!(hides_result(&call("web_search", Some(encrypted))));
        assert!(hides_result(&call("code_interpreter", Some("[]"))));
        assert!(hides_result(&call("code_interpreter", Some("\"\""))));
        assert!(!hides_result(&call("find_order", Some("[]"))));
        assert!(!hides_result(&call(
            "web_search",
            Some(r#"{"text":"Frost at night."}"#)
        )));
        assert!(!hides_result(&call("find_order", None)));
    }

    #[test]
    fn tools_of_the_platform_are_known_by_name() {
        let call = |name| ToolCall {
            name: Some(name),
            ..ToolCall::default()
        };
        assert!(is_of_platform(&call("code_interpreter")));
        assert!(!is_of_platform(&call("search")));
    }
}
