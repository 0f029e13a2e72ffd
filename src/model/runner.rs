//! Who runs the tool of a call: the program around the agent, or the platform of the model.

use crate::{Json, ToolCall};

/// Who runs the tool of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// The program around the agent. Its tools are the ones that definitions describe.
    Program,
    /// The platform of the model, such as a web search. It sets ids of its own and does not log all results.
    Platform,
    /// A server of tools to which the platform connects, as through MCP. The server lists its tools itself.
    Connector,
}

/// Types of calls of tools that the platform runs, apart from those that end as [`SERVER_ENDINGS`].
const PLATFORM_TYPES: [&str; 5] = [
    "program",
    "mcp_list_tools",
    "builtin_function",
    "builtin-tool-call",
    "native-tool-call",
];

/// Names that only tools of platforms have. Their calls have no type.
const OWN_NAMES: [&str; 6] = [
    "GOOGLE_SEARCH_WEB",
    "GOOGLE_SEARCH_IMAGE",
    "GOOGLE_MAPS",
    "URL_CONTEXT",
    "FILE_SEARCH",
    "code_execution",
];

/// How types of calls of tools that the platform runs end: `web_search_call`, `server_tool_use`.
const SERVER_ENDINGS: [&str; 2] = ["_call", "_tool_use"];

/// Types with such an ending whose tools the program around the agent runs.
const PROGRAM_TYPES: [&str; 7] = [
    "function_call",
    "custom_tool_call",
    "tool_call",
    "tool_use",
    "invalid_tool_call",
    "partial_tool_call",
    "dynamic_tool_call",
];

/// Types of calls of tools of a connected server.
const CONNECTOR_TYPES: [&str; 4] = [
    "mcp_call",
    "mcp_tool_use",
    "mcp_tool_call",
    "mcp_approval_request",
];

/// Names of tools that platforms run, as calls of them are logged in formats that do not say who runs a tool.
const PLATFORM_NAMES: [&str; 20] = [
    "apply_patch_call",
    "bash_code_execution",
    "code_execution",
    "code_interpreter",
    "codeexecution",
    "computer_use_preview",
    "executable_code",
    "executablecode",
    "file_search",
    "google_search",
    "image_generation",
    "local_shell",
    "server_tool_use",
    "shell_call",
    "text_editor_code_execution",
    "url_context",
    "web_fetch",
    "web_search",
    "web_search_preview",
    "x_search",
];

/// How names of handoffs start: tools with which frameworks pass a conversation to another agent. The frameworks
/// add them by themselves, so lists of tools often lack them.
const HANDOFFS: [&str; 3] = ["transfer_to_", "transfer_back_to_", "handoff_to_"];

/// Members of definitions that switch on a search of the platform whose calls its logs do not contain.
const UNLOGGED: [&str; 13] = [
    "googleSearch",
    "google_search",
    "googleSearchRetrieval",
    "google_search_retrieval",
    "enterpriseWebSearch",
    "enterprise_web_search",
    "googleMaps",
    "google_maps",
    "urlContext",
    "url_context",
    "fileSearch",
    "file_search",
    "retrieval",
];

/// How the types of tools begin that OpenRouter runs without logging their calls.
const OPENROUTER: &str = "openrouter:";

impl Runner {
    /// Returns who runs the tool of `call`, as far as the log says so: by the type of the call that its source
    /// wrote, by a mark such as `providerExecuted`, or by a name that only tools of platforms have.
    pub fn of(call: &ToolCall<'_>) -> Self {
        let is_marked = call.extra.iter().any(|(key, value)| {
            matches!(*key, "providerExecuted" | "provider_executed" | "builtin")
                && matches!(value, Json::Bool(true))
        });
        let mut types = call.extra.iter().filter_map(|(key, value)| match *key {
            "type" | "part_kind" => value.as_str(),
            _ => None,
        });
        let has_own_name = call.name.is_some_and(|name| OWN_NAMES.contains(&name));
        match types.next() {
            Some(kind) if CONNECTOR_TYPES.contains(&kind) => Self::Connector,
            Some(kind) if is_of_platform(kind) => Self::Platform,
            _ if is_marked || has_own_name => Self::Platform,
            _ => Self::Program,
        }
    }

    /// Like [`Runner::of`], but also by the name of the tool, for logs that do not say who runs it.
    pub fn by_name(call: &ToolCall<'_>) -> Self {
        let is_known = |name: &str| {
            let mut names = PLATFORM_NAMES.iter();
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        match Self::of(call) {
            Self::Program if call.name.is_some_and(is_known) => Self::Platform,
            known => known,
        }
    }
}

fn is_of_platform(kind: &str) -> bool {
    let mut endings = SERVER_ENDINGS.iter();
    PLATFORM_TYPES.contains(&kind)
        || (endings.any(|end| kind.ends_with(end)) && !PROGRAM_TYPES.contains(&kind))
}

/// Returns whether `tools`, the definitions of a log, switch on a search of the platform whose calls the log does not
/// contain. Replies may then state what no result shows.
pub fn searches_unlogged(tools: Json<'_>) -> bool {
    let is_search = |tool: &Json<'_>| {
        let kind = tool.get("type").and_then(Json::as_str);
        let holds = |key: &&str| tool.get(key).is_some_and(|it| it.members().is_some());
        let is_named = tool.get("name").is_some();
        kind.is_some_and(|kind| kind.starts_with(OPENROUTER))
            || (!is_named && UNLOGGED.iter().any(holds))
    };
    tools.items().unwrap_or_default().iter().any(is_search)
}

/// Returns whether `name` is that of a handoff: a tool that passes the conversation to another agent.
pub fn is_handoff(name: &str) -> bool {
    HANDOFFS.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(name: &str, extra: &[(&str, Json<'_>)]) -> Runner {
        Runner::of(&ToolCall {
            name: Some(name),
            extra,
            ..ToolCall::default()
        })
    }

    #[test]
    fn the_type_of_a_call_says_who_runs_its_tool() {
        for (kind, expected) in [
            ("server_tool_use", Runner::Platform),
            ("web_search_call", Runner::Platform),
            ("code_interpreter_call", Runner::Platform),
            ("program", Runner::Platform),
            ("mcp_tool_use", Runner::Connector),
            ("mcp_call", Runner::Connector),
            ("tool_use", Runner::Program),
            ("function_call", Runner::Program),
            ("custom_tool_call", Runner::Program),
            ("function", Runner::Program),
        ] {
            assert_eq!(
                runner("look", &[("type", Json::String(kind))]),
                expected,
                "{kind}"
            );
        }
    }

    #[test]
    fn a_call_that_the_provider_executed_is_one_of_the_platform() {
        let executed = |value| runner("look", &[("providerExecuted", Json::Bool(value))]);
        assert_eq!(executed(true), Runner::Platform);
        assert_eq!(executed(false), Runner::Program);
    }

    #[test]
    fn a_name_alone_says_it_only_where_that_is_asked() {
        let call = |name| ToolCall {
            name: Some(name),
            ..ToolCall::default()
        };
        assert_eq!(Runner::of(&call("web_search")), Runner::Program);
        assert_eq!(Runner::by_name(&call("web_search")), Runner::Platform);
        assert_eq!(Runner::by_name(&call("search")), Runner::Program);
    }

    #[test]
    fn searches_that_are_not_logged_are_known_by_their_definitions() {
        let arena = bumpalo::Bump::new();
        let unlogged = |tools| searches_unlogged(crate::testing::arena_json(&arena, tools));
        for tools in [
            r#"[{"functionDeclarations":[]},{"googleSearch":{}}]"#,
            r#"[{"type":"openrouter:web_search"}]"#,
        ] {
            assert!(unlogged(tools), "{tools}");
        }
        for tools in [
            r#"[{"type":"web_search"}]"#,
            r#"[{"codeExecution":{}}]"#,
            r#"[{"name":"look","googleSearch":{}}]"#,
            "{}",
        ] {
            assert!(!unlogged(tools), "{tools}");
        }
    }

    #[test]
    fn handoffs_are_known_by_their_start() {
        assert!(is_handoff("transfer_to_billing_agent"));
        assert!(!is_handoff("transfer_money"));
    }
}
