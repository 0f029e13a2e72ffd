//! Routes a call by the prefix of its name.

use serde::Serialize;

/// The destination of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Route {
    /// `agent__<action>`: the supervisor of agents.
    Agent {
        /// The part after the prefix, for example `spawn`.
        action: String,
    },
    /// `todo__<action>`: the to-do list.
    Todo {
        /// The part after the prefix, for example `add`.
        action: String,
    },
    /// `user__<action>`: a question to the user.
    User {
        /// The part after the prefix, for example `ask`.
        action: String,
    },
    /// `mcp_<action>_<server>`: an MCP server.
    Mcp {
        /// The request to the server.
        action: McpAction,
        /// The name of the server.
        server: String,
    },
    /// Any other name: a function of the program, or a shell tool.
    Function,
}

/// A request to an MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum McpAction {
    /// Run one of its tools.
    Invoke,
    /// Find tools by their descriptions.
    Search,
    /// Describe one of its tools.
    Describe,
}

const MCP_PREFIXES: [(&str, McpAction); 3] = [
    ("mcp_invoke_", McpAction::Invoke),
    ("mcp_search_", McpAction::Search),
    ("mcp_describe_", McpAction::Describe),
];

impl Route {
    /// Returns the route of calls of `name`. Prefixes are case-sensitive.
    pub fn of(name: &str) -> Self {
        let after = |prefix| name.strip_prefix(prefix).map(str::to_owned);
        if let Some(action) = after("agent__") {
            return Self::Agent { action };
        }
        if let Some(action) = after("todo__") {
            return Self::Todo { action };
        }
        if let Some(action) = after("user__") {
            return Self::User { action };
        }
        MCP_PREFIXES
            .into_iter()
            .find_map(|(prefix, action)| after(prefix).map(|server| Self::Mcp { action, server }))
            .unwrap_or(Self::Function)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_decide_the_route() {
        let action = |text: &str| text.to_owned();
        let mcp = |action, server: &str| Route::Mcp {
            action,
            server: server.to_owned(),
        };
        for (name, route) in [
            (
                "agent__spawn",
                Route::Agent {
                    action: action("spawn"),
                },
            ),
            ("agent__", Route::Agent { action: action("") }),
            (
                "todo__add",
                Route::Todo {
                    action: action("add"),
                },
            ),
            (
                "user__ask",
                Route::User {
                    action: action("ask"),
                },
            ),
            ("mcp_invoke_github", mcp(McpAction::Invoke, "github")),
            ("mcp_search_a_b", mcp(McpAction::Search, "a_b")),
            ("mcp_describe_x", mcp(McpAction::Describe, "x")),
            ("mcp_list_x", Route::Function),
            ("get_weather", Route::Function),
            ("my_agent__spawn", Route::Function),
            ("Agent__spawn", Route::Function),
            ("agent_spawn", Route::Function),
            ("", Route::Function),
        ] {
            assert_eq!(Route::of(name), route, "{name}");
        }
    }
}
