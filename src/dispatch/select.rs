//! Which functions an agent has: those that its role enables, and those that come with what is active.

use std::collections::BTreeMap;

use foldhash::HashSet;
use serde::{Deserialize, Serialize};

use super::route::Route;
use crate::schema::nearest;

/// The value that enables everything.
const ALL: &str = "all";

/// From what functions are selected. A function is enabled by the names in `enabled_tools`, which may be
/// names of functions or of aliases.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SelectionRequest {
    /// The names of all declared functions, in order.
    pub names: Vec<String>,
    /// What the role enables of the functions; `None` enables all.
    pub enabled_tools: Option<Enabled>,
    /// What the role enables of the MCP servers; `None` enables all.
    pub enabled_mcp_servers: Option<Enabled>,
    /// Names that stand for several functions.
    #[serde(default)]
    pub aliases: BTreeMap<String, Enabled>,
    /// Names that stand for several MCP servers.
    #[serde(default)]
    pub mcp_aliases: BTreeMap<String, Enabled>,
    /// The names of the active agent's own functions; `None` when no agent is active.
    pub agent: Option<Vec<String>>,
}

/// A list of names: a text parted by commas, or a list. `all` enables everything.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Enabled {
    /// Names, parted by commas.
    Text(String),
    /// Names.
    List(Vec<String>),
}

/// The functions that an agent has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Selection {
    /// The places of the selected functions among the agent's own, which come first.
    pub agent: Vec<usize>,
    /// The places of the other selected functions among the declared ones, in order.
    pub functions: Vec<usize>,
    /// What is enabled and does not exist.
    pub unknown: Vec<UnknownName>,
}

/// A name that enables nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnknownName {
    /// The name.
    pub name: String,
    /// Where it was enabled.
    pub list: EnabledList,
    /// The known name that is nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// A list that enables functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EnabledList {
    /// The functions of a role.
    EnabledTools,
    /// The MCP servers of a role.
    EnabledMcpServers,
}

impl Enabled {
    fn names(&self) -> Vec<&str> {
        let parts: Vec<&str> = match self {
            Self::Text(text) => text.split(',').collect(),
            Self::List(names) => names.iter().map(String::as_str).collect(),
        };
        let names = parts.into_iter().map(str::trim);
        names.filter(|name| !name.is_empty()).collect()
    }
}

/// Selects the functions that an agent has:
///
/// - the active agent's own functions, whatever the role enables;
/// - the functions that `enabled_tools` enables, unless the agent has its own of that name;
/// - `agent__*` and `todo__*` only while an agent is active;
/// - `user__*` always;
/// - the meta functions `mcp_invoke_*`, `mcp_search_*` and `mcp_describe_*` of the servers that
///   `enabled_mcp_servers` enables.
pub fn select_functions(request: &SelectionRequest) -> Selection {
    let own: Vec<&String> = request.agent.iter().flatten().collect();
    let own_names: HashSet<&str> = own.iter().map(|name| name.as_str()).collect();
    let routes: Vec<Route> = request.names.iter().map(|name| Route::of(name)).collect();

    let functions = request.names.iter().zip(&routes);
    let functions = functions.filter(|(_, route)| **route == Route::Function);
    let functions: Vec<&str> = functions.map(|(name, _)| name.as_str()).collect();
    let servers: Vec<&str> = routes.iter().filter_map(server_of).collect();

    let mut unknown = Vec::new();
    let enabled = Choice::of(
        request.enabled_tools.as_ref(),
        &request.aliases,
        &[functions, own.iter().map(|name| name.as_str()).collect()].concat(),
        EnabledList::EnabledTools,
        &mut unknown,
    );
    let enabled_servers = Choice::of(
        request.enabled_mcp_servers.as_ref(),
        &request.mcp_aliases,
        &servers,
        EnabledList::EnabledMcpServers,
        &mut unknown,
    );
    let is_selected = |name: &str, route: &Route| match route {
        Route::Agent { .. } | Route::Todo { .. } => request.agent.is_some(),
        Route::User { .. } => true,
        Route::Mcp { server, .. } => enabled_servers.includes(server),
        Route::Function => enabled.includes(name) && !own_names.contains(name),
    };
    let declared = request.names.iter().zip(&routes).enumerate();
    let selected = declared.filter(|(_, (name, route))| is_selected(name, route));
    Selection {
        agent: (0..own.len()).collect(),
        functions: selected.map(|(at, _)| at).collect(),
        unknown,
    }
}

fn server_of(route: &Route) -> Option<&str> {
    match route {
        Route::Mcp { server, .. } => Some(server),
        Route::Agent { .. } | Route::Todo { .. } | Route::User { .. } | Route::Function => None,
    }
}

/// What a list of names enables.
enum Choice<'r> {
    Everything,
    These(HashSet<&'r str>),
}

impl<'r> Choice<'r> {
    fn of(
        enabled: Option<&'r Enabled>,
        aliases: &'r BTreeMap<String, Enabled>,
        known: &[&str],
        list: EnabledList,
        unknown: &mut Vec<UnknownName>,
    ) -> Self {
        let Some(enabled) = enabled else {
            return Self::Everything;
        };
        let mut names = HashSet::default();
        for name in enabled.names() {
            let meant = match aliases.get(name) {
                Some(alias) => alias.names(),
                None => vec![name],
            };
            if meant.contains(&ALL) {
                return Self::Everything;
            }
            for name in meant {
                if !known.contains(&name) {
                    let spelt = known
                        .iter()
                        .copied()
                        .chain(aliases.keys().map(String::as_str));
                    unknown.push(UnknownName {
                        name: name.to_owned(),
                        list,
                        suggestion: nearest(name, spelt).map(str::to_owned),
                    });
                }
                names.insert(name);
            }
        }
        Self::These(names)
    }

    fn includes(&self, name: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::These(names) => names.contains(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const DECLARED: [&str; 9] = [
        "agent__spawn",
        "todo__add",
        "user__ask",
        "mcp_invoke_github",
        "mcp_search_github",
        "mcp_invoke_slack",
        "fs_cat",
        "fs_ls",
        "get_weather",
    ];

    fn select(mut request: Value) -> (Vec<&'static str>, Selection) {
        request["names"] = json!(DECLARED);
        let request: SelectionRequest = serde_json::from_value(request).expect("a request");
        let selection = select_functions(&request);
        let names = selection.functions.iter().map(|at| DECLARED[*at]);
        (names.collect(), selection)
    }

    #[test]
    fn a_role_enables_functions_by_name_list_and_alias() {
        let servers = |request: Value| {
            let mut request = request;
            request["enabledMcpServers"] = json!("");
            select(request).0
        };
        let all = ["user__ask", "fs_cat", "fs_ls", "get_weather"];
        assert_eq!(servers(json!({})), all);
        assert_eq!(servers(json!({ "enabledTools": "all" })), all);
        assert_eq!(
            servers(json!({ "enabledTools": " get_weather , fs_ls," })),
            ["user__ask", "fs_ls", "get_weather"]
        );
        assert_eq!(
            servers(json!({ "enabledTools": ["fs_cat"] })),
            ["user__ask", "fs_cat"]
        );
        let aliases = json!({ "fs": "fs_cat,fs_ls" });
        assert_eq!(
            servers(json!({ "enabledTools": "fs", "aliases": aliases })),
            ["user__ask", "fs_cat", "fs_ls"]
        );
        assert_eq!(servers(json!({ "enabledTools": "" })), ["user__ask"]);
    }

    #[test]
    fn meta_functions_come_with_enabled_servers() {
        let request = json!({ "enabledTools": "", "enabledMcpServers": "github" });
        assert_eq!(
            select(request).0,
            ["user__ask", "mcp_invoke_github", "mcp_search_github"]
        );
        let request = json!({ "enabledTools": "", "enabledMcpServers": "all" });
        assert_eq!(select(request).0.len(), 4);
        let request = json!({
            "enabledTools": "", "enabledMcpServers": ["chat"], "mcpAliases": { "chat": "slack" },
        });
        assert_eq!(select(request).0, ["user__ask", "mcp_invoke_slack"]);
    }

    #[test]
    fn agent_functions_come_with_an_active_agent() {
        let without = select(json!({})).0;
        assert!(!without.iter().any(|name| name.starts_with("agent__")));
        assert!(!without.iter().any(|name| name.starts_with("todo__")));
        let (with, selection) = select(json!({ "agent": ["research", "get_weather"] }));
        assert!(with.contains(&"agent__spawn") && with.contains(&"todo__add"));
        // The agent's own function replaces the declared one.
        assert!(!with.contains(&"get_weather"));
        assert_eq!(selection.agent, [0, 1]);
    }

    #[test]
    fn names_that_enable_nothing_are_reported() {
        let (_, selection) = select(json!({
            "enabledTools": "get_wether,fs_ls", "enabledMcpServers": "gihub",
        }));
        let found: Vec<_> = selection
            .unknown
            .iter()
            .map(|unknown| (unknown.name.as_str(), unknown.suggestion.as_deref()))
            .collect();
        assert_eq!(
            found,
            [
                ("get_wether", Some("get_weather")),
                ("gihub", Some("github"))
            ]
        );
    }
}
